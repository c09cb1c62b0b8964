/**
 * Native memory to read and write files with, and typed values out of it.
 *
 * <p>In comes memory from the kernel, or bytes from a {@linkplain
 * dev.tailwater.io.buffer.ByteSource source}; out come {@linkplain
 * dev.tailwater.io.buffer.PooledBuffer buffers} on loan from a {@linkplain
 * dev.tailwater.io.buffer.BufferPool pool with a bound}, and the numbers that the bytes stand for.
 * The packages that copy, read and write call it, and so may anybody.
 */
@NullMarked
package dev.tailwater.io.buffer;

import org.jspecify.annotations.NullMarked;
