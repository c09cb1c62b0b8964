package dev.tailwater.io.read;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.io.PageSize;
import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/**
 * One regular file that is open, what was learnt about it once, and its buffers. Readers and views
 * {@linkplain #uses enter} it; it is closed behind the last of them. Thread-safe.
 */
final class OpenFile {
  private static final long OWN_POOL_BYTES = 64L << 20;

  /** A pool that is exhausted for so long is held by somebody who does not give back. */
  private static final long BUFFER_TIMEOUT_MILLIS = 30_000;

  private final Descriptor descriptor;
  private final FileSystemKind kind;
  private final int pageBytes;
  private final BufferPool buffers;
  private final Residency residency;
  private final UseCount uses;

  private OpenFile(
      Descriptor descriptor, FileSystemKind kind, boolean owned, Optional<BufferPool> given) {
    this.descriptor = descriptor;
    this.kind = kind;
    this.pageBytes = PageSize.bytes();
    this.buffers = given.orElseGet(() -> BufferPool.ofBound(OWN_POOL_BYTES));
    this.residency = new Residency(descriptor.calls(), pageBytes);
    this.uses =
        new UseCount(
            descriptor.path() + ": this reader",
            () -> {
              try {
                if (given.isEmpty()) {
                  buffers.close();
                }
              } finally {
                if (owned) {
                  descriptor.close();
                }
              }
            });
  }

  /**
   * @param owned whether closing this closes the descriptor
   * @throws NotARegularFileException for anything but a regular file
   */
  static OpenFile of(Descriptor descriptor, boolean owned, Optional<BufferPool> buffers)
      throws IOException {
    NotARegularFileException.check(descriptor.calls(), descriptor.fd(), descriptor.path());
    FileSystemKind kind = FileSystemKind.of(descriptor.calls(), descriptor.fd());
    return new OpenFile(descriptor, kind, owned, buffers);
  }

  UseCount uses() {
    return uses;
  }

  Descriptor descriptor() {
    return descriptor;
  }

  FileCalls calls() {
    return descriptor.calls();
  }

  int fd() {
    return descriptor.fd();
  }

  PosixPath path() {
    return descriptor.path();
  }

  FileSystemKind kind() {
    return kind;
  }

  int pageBytes() {
    return pageBytes;
  }

  Residency residency() {
    return residency;
  }

  long sizeBytes() throws ErrnoException {
    return calls().fstat(fd()).sizeBytes();
  }

  /** A buffer of the pool, of the calling thread. */
  PooledBuffer buffer(long sizeBytes) throws InterruptedIOException {
    try {
      return buffers.acquire("reader of " + path(), sizeBytes, BUFFER_TIMEOUT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting for a buffer to read " + path());
      interrupted.initCause(e);
      throw interrupted;
    }
  }
}
