/** Tests of what becomes of the files that a look found. */
@NullMarked
package dev.tailwater.io.watch.result;

import org.jspecify.annotations.NullMarked;
