package dev.tailwater.io.async;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.FileAdvice;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.Advice;
import java.io.IOException;

/**
 * An open file for random reads. Its type is checked once, so that requests need no check.
 *
 * <p>The descriptor stays the caller's and must stay open until all its requests are done. If it is
 * closed before a request has begun, the request fails with EBADF, or reads from another file if
 * the kernel reuses the number at that moment. A request that has begun is not affected, since the
 * kernel holds the file itself. Immutable and thread-safe.
 */
public final class RandomFile {
  private static final int CLOSED_FD = -1;

  private final Descriptor descriptor;

  private RandomFile(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Creates a file for a descriptor that is used for random reads only: switches its read-ahead off
   * permanently (POSIX_FADV_RANDOM). It may be open with {@link
   * dev.tailwater.posix.value.OpenFlag#DIRECT}.
   *
   * @throws NotARegularFileException for a directory, FIFO, socket or device, which have no bytes
   *     at offsets, and for files that the kernel makes up, as in /proc
   * @throws IllegalStateException when the descriptor is closed
   */
  public static RandomFile of(Descriptor descriptor) throws IOException {
    RandomFile file = shared(descriptor);
    FileAdvice.give(descriptor.calls(), descriptor.fd(), 0, 0, Advice.RANDOM);
    return file;
  }

  /**
   * As {@link #of}, for a descriptor that is also read sequentially. It keeps its read-ahead, which
   * makes buffered random reads a little slower.
   */
  public static RandomFile shared(Descriptor descriptor) throws IOException {
    NotARegularFileException.check(descriptor.calls(), descriptor.fd(), descriptor.path());
    return new RandomFile(descriptor);
  }

  PosixPath path() {
    return descriptor.path();
  }

  void requireOpen() {
    descriptor.fd();
  }

  /** Returns the descriptor, or -1 if it is closed by now. */
  int fdIfOpen() {
    try {
      return descriptor.fd();
    } catch (IllegalStateException e) {
      return CLOSED_FD;
    }
  }

  @Override
  public String toString() {
    return descriptor.toString();
  }
}
