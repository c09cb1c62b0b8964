package dev.tailwater.io.buffer;

/**
 * The options of a {@link BufferPool}.
 *
 * @param boundBytes the most native memory that the pool ever holds, free and in use together; at
 *     least one page
 * @param traceOrigins whether each acquisition keeps its stack trace for reports about that buffer:
 *     a leak, a second release, an exhausted pool. Costs microseconds each time; meant for tests
 *     and for finding leaks
 * @param checkShared whether {@linkplain PooledBuffer#share shared} buffers are also checked for
 *     use after release. Costs a handshake with every thread of the JVM at each release: 10
 *     microseconds on an idle machine, and up to hundreds of milliseconds where more threads
 *     compute than there are processors; meant for tests
 */
public record BufferPoolOptions(long boundBytes, boolean traceOrigins, boolean checkShared) {
  /**
   * Checks the bound.
   *
   * @throws IllegalArgumentException for less than a page
   */
  public BufferPoolOptions {
    if (boundBytes < SizeClasses.SMALLEST_BYTES) {
      throw new IllegalArgumentException(
          "a pool of %d bytes; a buffer takes at least %d"
              .formatted(boundBytes, SizeClasses.SMALLEST_BYTES));
    }
  }

  /** For production: no traces; buffers of one thread are checked, shared buffers are not. */
  public static BufferPoolOptions ofBound(long boundBytes) {
    return new BufferPoolOptions(boundBytes, false, false);
  }

  /** For tests: everything is traced and checked. */
  public static BufferPoolOptions checked(long boundBytes) {
    return new BufferPoolOptions(boundBytes, true, true);
  }
}
