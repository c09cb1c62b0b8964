/** Flags, options and results of the system calls, as plain values. */
@NullMarked
package dev.tailwater.posix.value;

import org.jspecify.annotations.NullMarked;
