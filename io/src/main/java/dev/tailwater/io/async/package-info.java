/**
 * Many positional reads at once, so that a disk that can do more than one thing at a time does.
 *
 * <p>In come {@linkplain dev.tailwater.io.async.RandomFile files}, offsets and native memory; out
 * come bytes or an errno for each request. {@link dev.tailwater.io.async.RandomReads} is what
 * callers open. Underneath, a queue either talks to the kernel through a ring of its own, or hands
 * its requests to threads that belong to all; what completes a request is decided in one place for
 * both.
 */
@NullMarked
package dev.tailwater.io.async;

import org.jspecify.annotations.NullMarked;
