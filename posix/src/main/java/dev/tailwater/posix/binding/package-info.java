/**
 * The lookup and invocation of single C functions: one class for each group of functions, and the
 * kernel constants and structure layouts that they need.
 */
@NullMarked
package dev.tailwater.posix.binding;

import org.jspecify.annotations.NullMarked;
