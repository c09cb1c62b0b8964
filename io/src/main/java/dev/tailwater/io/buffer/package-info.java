/**
 * Buffers: a bounded pool of native memory for reading and writing files, and typed values read
 * from it.
 *
 * <p>A {@link dev.tailwater.io.buffer.BufferPool} lends {@linkplain
 * dev.tailwater.io.buffer.PooledBuffer buffers} of kernel memory. A {@link
 * dev.tailwater.io.buffer.ValueReader} turns the bytes of a {@linkplain
 * dev.tailwater.io.buffer.ByteSource source} into numbers. The packages that copy, read and write
 * use this one, and so can other programs.
 */
@NullMarked
package dev.tailwater.io.buffer;

import org.jspecify.annotations.NullMarked;
