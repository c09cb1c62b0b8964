/**
 * Linux file calls as Java methods.
 *
 * <p>In come descriptors, {@linkplain dev.tailwater.posix.PosixPath byte paths}, heap arrays and
 * native segments; out come results or an {@link dev.tailwater.posix.ErrnoException} that names the
 * operation, the path and the errno. What a call means stands in the interfaces that make up {@link
 * dev.tailwater.posix.FileCalls}; how it is bound stands apart from that, in {@link
 * dev.tailwater.posix.LinuxFileCalls}. Everything above this package takes a {@code FileCalls}, so
 * that a test can fail, shorten, delay or crash at any single call.
 */
@NullMarked
package dev.tailwater.posix;

import org.jspecify.annotations.NullMarked;
