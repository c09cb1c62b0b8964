/** Tests of the known files of a directory. */
@NullMarked
package dev.tailwater.io.watch.name;

import org.jspecify.annotations.NullMarked;
