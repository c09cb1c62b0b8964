/** Names that appear, told at once and apart from everything that collects events. */
@NullMarked
package dev.tailwater.io.watch.early;

import org.jspecify.annotations.NullMarked;
