/**
 * The lookup and invocation of single C functions: one class for each group of functions, and the
 * kernel constants and structure layouts that they need.
 *
 * <p>Each handle has a class of its own, whose initialization links the function. So a function is
 * linked when it is called first, which costs the processor about ten milliseconds at the start of
 * a program, and one that is not called costs nothing.
 */
@NullMarked
package dev.tailwater.posix.binding;

import org.jspecify.annotations.NullMarked;
