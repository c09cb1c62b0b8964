/**
 * How single C functions are found and called: one class for each group of functions, and the
 * constants and structure layouts of the kernel that they need.
 */
@NullMarked
package dev.tailwater.posix.binding;

import org.jspecify.annotations.NullMarked;
