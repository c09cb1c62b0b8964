package dev.tailwater.io.async;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A read in progress; the object is reused for later reads. It defines for all engines when a read
 * is complete: a short read is continued until the target is full or the file ends.
 *
 * <p>Not thread-safe; handed from thread to thread.
 */
final class Request {
  /** The smallest block that a disk reads directly. */
  private static final int SECTOR_BYTES = 512;

  /** The next request in the list that holds this one. */
  @Nullable Request next;

  /** Gets the request back when another thread has done it. */
  private final @Nullable Consumer<Request> owner;

  private @Nullable RandomFile file;
  private long offsetBytes;
  private MemorySegment target = MemorySegment.NULL;
  private long tag;
  private int doneBytes;
  private int errnoNumber;
  private boolean refused;
  private @Nullable Throwable breakdown;

  Request(@Nullable Consumer<Request> owner) {
    this.owner = owner;
  }

  void begin(RandomFile source, long fromOffsetBytes, MemorySegment into, long resultTag) {
    file = source;
    offsetBytes = fromOffsetBytes;
    target = into;
    tag = resultTag;
    doneBytes = 0;
    errnoNumber = 0;
    refused = false;
    breakdown = null;
  }

  /** Releases the target, so that it can be collected. */
  void end() {
    file = null;
    target = MemorySegment.NULL;
    breakdown = null;
  }

  /** The descriptor, or -1 when it was closed. */
  int fd() {
    return file == null ? -1 : file.fdIfOpen();
  }

  /** Where in the file the next attempt reads. */
  long nextOffsetBytes() {
    return offsetBytes + doneBytes;
  }

  /** What the next attempt fills. */
  MemorySegment rest() {
    return doneBytes == 0 ? target : target.asSlice(doneBytes);
  }

  long restAddress() {
    return target.address() + doneBytes;
  }

  int restBytes() {
    return (int) target.byteSize() - doneBytes;
  }

  /**
   * Returns whether the kernel gave up the last attempt without a result, so that the next one must
   * wait.
   */
  boolean wasRefused() {
    return refused;
  }

  /**
   * Takes the result of an attempt.
   *
   * @param result bytes, or -errno
   * @return whether the request is done; otherwise the rest is to be read
   */
  boolean proceed(int result) {
    if (result > 0) {
      doneBytes += result;
      refused = false;
      return restBytes() == 0;
    }
    if (result == 0) {
      return true;
    }
    // EAGAIN: the file is open with O_NONBLOCK. ECANCELED: the thread that began it has ended.
    refused =
        result == -Errno.EAGAIN.number()
            || result == -Errno.EINTR.number()
            || result == -Errno.ECANCELED.number();
    if (refused) {
      return false;
    }
    if (!endsInsideOfASector(-result)) {
      errnoNumber = -result;
    }
    return true;
  }

  /** With O_DIRECT the end of the file was where the last read was short, if it grew meanwhile. */
  private boolean endsInsideOfASector(int errno) {
    return errno == Errno.EINVAL.number()
        && doneBytes % SECTOR_BYTES != 0
        && offsetBytes % SECTOR_BYTES == 0;
  }

  /** Completes the request with an errno. */
  void fail(int errno) {
    errnoNumber = errno;
  }

  /** Completes the request after a failure of the thread that made it. */
  void fail(Throwable thrown) {
    breakdown = thrown;
  }

  /** Returns what that thread threw; null if nothing. */
  @Nullable Throwable breakdown() {
    return breakdown;
  }

  /** Returns a completed request to its owner. */
  void returnToOwner() {
    if (owner == null) {
      throw new IllegalStateException("a request that nobody handed over");
    }
    owner.accept(this);
  }

  /** Delivers the result; passes this object to {@code free} first, for its next use. */
  void handOut(ReadHandler handler, Consumer<Request> free) {
    long resultTag = tag;
    int bytes = doneBytes;
    ErrnoException failure = errnoNumber == 0 ? null : failure();
    Throwable thrown = breakdown;
    end();
    free.accept(this);
    if (thrown != null) {
      throw rethrown(thrown);
    }
    if (failure == null) {
      handler.completed(resultTag, bytes);
    } else {
      handler.failed(resultTag, failure);
    }
  }

  /** Returns the result of a completed request. */
  ReadResult result() {
    return errnoNumber == 0
        ? new ReadResult(doneBytes, Optional.empty())
        : new ReadResult(0, Optional.of(failure()));
  }

  private ErrnoException failure() {
    String text = Errno.of(errnoNumber).text();
    if (errnoNumber == Errno.EINVAL.number()) {
      text +=
          "; with DIRECT the target's address and length and the offset must be multiples of the"
              + " block size";
    }
    String subject = (file == null ? "a file" : file.path()) + " at offset " + nextOffsetBytes();
    return new ErrnoException("read", subject, errnoNumber, text);
  }

  private static RuntimeException rethrown(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException("a read broke down", thrown);
    };
  }
}
