@NullMarked
package dev.tailwater.io.watch;

import org.jspecify.annotations.NullMarked;
