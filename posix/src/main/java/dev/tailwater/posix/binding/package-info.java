/**
 * The lookup and invocation of single C functions: one class for each group of functions, and the
 * kernel constants and structure layouts that they need.
 *
 * <p>To link a function costs the processor several milliseconds. So those that every command uses
 * are linked when the first of a few is called, by the initialization of a class that holds their
 * handles; others when the first of their group is called.
 */
@NullMarked
package dev.tailwater.posix.binding;

import org.jspecify.annotations.NullMarked;
