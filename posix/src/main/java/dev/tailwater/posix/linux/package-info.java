/**
 * The system calls of Linux: implementations of the interfaces in {@link dev.tailwater.posix},
 * built from the functions in {@link dev.tailwater.posix.binding}. Start at {@link
 * dev.tailwater.posix.linux.LinuxFileCalls}.
 */
@NullMarked
package dev.tailwater.posix.linux;

import org.jspecify.annotations.NullMarked;
