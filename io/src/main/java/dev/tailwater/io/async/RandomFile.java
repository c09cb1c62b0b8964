package dev.tailwater.io.async;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.Advice;
import java.io.IOException;

/**
 * An open file that random reads go to: looked at once, so that requests need not be.
 *
 * <p>The descriptor stays the caller's. It must stay open until the requests that name it are done:
 * one that is closed before a request has begun makes that request fail with EBADF, and the bytes
 * may come from another file when the kernel gives the number away at the same moment. What has
 * begun is read to its end, as the kernel holds the file itself. Immutable and thread-safe.
 */
public final class RandomFile {
  private static final int CLOSED_FD = -1;

  private final Descriptor descriptor;

  private RandomFile(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * A file whose descriptor is for random reads only: read-ahead is switched off on it, for good
   * (POSIX_FADV_RANDOM). It may be open with {@link dev.tailwater.posix.value.OpenFlag#DIRECT}.
   *
   * @throws NotARegularFileException for a directory, FIFO, socket or device, which have no bytes
   *     at offsets, and for files that the kernel makes up, as in /proc
   * @throws IllegalStateException when the descriptor is closed
   */
  public static RandomFile of(Descriptor descriptor) throws IOException {
    RandomFile file = shared(descriptor);
    descriptor.calls().fadvise(descriptor.fd(), 0, 0, Advice.RANDOM);
    return file;
  }

  /**
   * As {@link #of}, for a descriptor that something else reads in sequence: it keeps its
   * read-ahead, which makes buffered random reads a little slower.
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

  /** The number; -1, which no file has, when it is closed by now. */
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
