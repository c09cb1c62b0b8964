package dev.tailwater.delivery.tail;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;

/**
 * Looks at the file of a tail through its descriptor, and has the tail take in what it sees. A look
 * may block as long as the file system does. It is made outside the tail's class so that nobody can
 * hold the tail's lock meanwhile.
 */
public final class TailLook {
  /**
   * How often the file is looked at, one look after the other, to tell an append from a rewrite.
   */
  public static final int LOOKS_AT_APPEND = 4;

  private TailLook() {}

  /**
   * Looks at the file's size and attributes; empty when it is not open. Looks again when something
   * else was learnt of the size meanwhile, since an outdated size would be taken for a truncation.
   */
  public static Optional<FileStatus> refresh(Tail tail, long nowNanos, long nowMillis)
      throws ErrnoException {
    return refresh(tail, Optional.empty(), nowNanos, nowMillis);
  }

  /**
   * Has a tail that no other thread sees yet take in the status of its file, which was opened just
   * now, as {@link #refresh} does.
   */
  public static void opened(Tail tail, FileStatus status, long nowNanos, long nowMillis)
      throws ErrnoException {
    var _ = refresh(tail, Optional.of(status), nowNanos, nowMillis);
  }

  private static Optional<FileStatus> refresh(
      Tail tail, Optional<FileStatus> firstLook, long nowNanos, long nowMillis)
      throws ErrnoException {
    WatchedFile file = tail.file();
    for (int looks = 1; ; looks++) {
      long newsBefore = tail.news();
      Optional<FileStatus> looked = looks == 1 && firstLook.isPresent() ? firstLook : look(file);
      if (looked.isEmpty()) {
        tail.tellTime(nowNanos, false); // It is closed, as it was seen last.
        return Optional.empty();
      }
      FileStatus status = looked.get();
      file.seenLinks(status.links());
      if (tail.observe(newsBefore, status, file.owner(status), nowNanos, nowMillis)) {
        if (tail.content().isSuspectedOfChange()) {
          if (looks < LOOKS_AT_APPEND) {
            continue; // An append that was met halfway grows the file now.
          }
          file.suspect();
        }
        tail.requestComparison();
        return Optional.of(status);
      }
    }
  }

  private static Optional<FileStatus> look(WatchedFile file) throws ErrnoException {
    Optional<SharedDescriptor.Lease> lease = file.lease();
    if (lease.isEmpty()) {
      return Optional.empty();
    }
    try (SharedDescriptor.Lease open = lease.get()) {
      return Optional.of(open.calls().fstat(open.fd()));
    }
  }

  /**
   * Looks at the file as {@link #refresh} does. If its present stream turns out to have ended
   * before this look, the sizes seen from now on are the next stream's.
   */
  public static Optional<FileStatus> refreshForNextStream(Tail tail, long nowNanos, long nowMillis)
      throws ErrnoException {
    tail.lookForNextStream();
    return refresh(tail, nowNanos, nowMillis);
  }

  /**
   * Looks at the file as {@link #refresh} does, and takes up any suspicion that its bytes were
   * replaced: the caller compares them before it reads on.
   */
  public static Optional<FileStatus> refreshForReading(Tail tail, long nowNanos, long nowMillis)
      throws ErrnoException {
    Optional<FileStatus> status = refreshForNextStream(tail, nowNanos, nowMillis);
    tail.readingBegins();
    return status;
  }
}
