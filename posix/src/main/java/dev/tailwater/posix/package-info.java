/**
 * Linux file calls as Java methods.
 *
 * <p>Callers pass descriptors, {@linkplain dev.tailwater.posix.PosixPath byte paths}, heap arrays
 * and native segments. They get results, or an {@link dev.tailwater.posix.ErrnoException} that
 * names the operation, the path and the errno. This package is the contract: the interfaces that
 * make up {@link dev.tailwater.posix.FileCalls} specify each call. {@link
 * dev.tailwater.posix.value} has the flags and results, {@link dev.tailwater.posix.linux} the
 * implementation. Everything above this module takes a {@code FileCalls}, so that a test can fail,
 * shorten, delay or crash at any single call.
 */
@NullMarked
package dev.tailwater.posix;

import org.jspecify.annotations.NullMarked;
