package dev.tailwater.io.buffer;

/**
 * How a {@link BufferPool} behaves.
 *
 * @param boundBytes the most native memory that the pool ever holds, free and in use together; at
 *     least one page
 * @param traceOrigins whether each acquisition keeps its stack trace, which then comes with every
 *     complaint about that buffer: a leak, a second release, an exhausted pool. Costs microseconds
 *     each time; meant for tests and for the search for a leak
 * @param checkShared whether {@linkplain PooledBuffer#share shared} buffers too are checked for use
 *     after their release. Costs a handshake with every thread of the JVM at each release: 10
 *     microseconds on an idle machine, and up to hundreds of milliseconds where more threads
 *     compute than there are processors; meant for tests
 */
public record BufferPoolOptions(long boundBytes, boolean traceOrigins, boolean checkShared) {
  public BufferPoolOptions {
    if (boundBytes < SizeClasses.SMALLEST_BYTES) {
      throw new IllegalArgumentException(
          "a pool of %d bytes; a buffer takes at least %d"
              .formatted(boundBytes, SizeClasses.SMALLEST_BYTES));
    }
  }

  /** For production: this bound, no traces, buffers of one thread checked and shared ones not. */
  public static BufferPoolOptions ofBound(long boundBytes) {
    return new BufferPoolOptions(boundBytes, false, false);
  }

  /** For tests: everything is traced and checked. */
  public static BufferPoolOptions checked(long boundBytes) {
    return new BufferPoolOptions(boundBytes, true, true);
  }
}
