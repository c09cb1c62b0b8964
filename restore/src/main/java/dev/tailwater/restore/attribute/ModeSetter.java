package dev.tailwater.restore.attribute;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Gives restored files, directories and links their modes and times, and counts those that the file
 * system does not take, as FAT and some network mounts do not: without them, all bytes are there.
 * That another user's directory or link stays as it is is a failure of that one. Thread-safe.
 */
public final class ModeSetter {
  private static final long ROOT = 0;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final Set<Errno> TAKES_NONE =
      EnumSet.of(Errno.EPERM, Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EINVAL);

  @GuardedBy("this")
  private long refused;

  @GuardedBy("this")
  private Optional<String> first = Optional.empty();

  /** A call that sets a mode or a time. */
  private interface Call {
    void run() throws ErrnoException;
  }

  /**
   * What gets a mode or a time.
   *
   * @param path as it is archived
   * @param isOfOthers whether another user owns it, who alone may change it
   */
  public record Subject(PosixPath path, boolean isOfOthers) {
    /** Something that this run or an earlier one has made. */
    public static Subject made(PosixPath path) {
      return new Subject(path, false);
    }

    /** Something that was there already. */
    public static Subject found(PosixPath path, FileCalls calls, FileStatus status) {
      long user = calls.effectiveUserId();
      return new Subject(path, user != ROOT && user != status.ownerId());
    }
  }

  /**
   * Gives an open file or directory its mode and its modification time.
   *
   * @throws ErrnoException also EPERM, if it is of another user
   */
  public void give(FileCalls calls, int fd, Subject subject, int mode, long modificationTimeNanos)
      throws ErrnoException {
    Optional<String> refusedMode = refusal(subject, () -> calls.changeMode(fd, mode));
    Optional<String> refusedTime =
        refusal(
            subject,
            () ->
                calls.changeModificationTime(
                    fd, seconds(modificationTimeNanos), nanos(modificationTimeNanos)));
    note(subject, refusedMode.or(() -> refusedTime));
  }

  /**
   * Gives what has a name its modification time.
   *
   * @throws ErrnoException also EPERM, if it is of another user
   */
  public void giveTime(
      FileCalls calls, int dirFd, PosixPath name, Subject subject, long modificationTimeNanos)
      throws ErrnoException {
    note(
        subject,
        refusal(
            subject,
            () ->
                calls.changeModificationTime(
                    dirFd, name, seconds(modificationTimeNanos), nanos(modificationTimeNanos))));
  }

  private static long seconds(long nanosSinceEpoch) {
    return Math.floorDiv(nanosSinceEpoch, NANOS_PER_SECOND);
  }

  private static int nanos(long nanosSinceEpoch) {
    return (int) Math.floorMod(nanosSinceEpoch, NANOS_PER_SECOND);
  }

  private static Optional<String> refusal(Subject subject, Call call) throws ErrnoException {
    try {
      call.run();
      return Optional.empty();
    } catch (ErrnoException e) {
      boolean isOfOthers = subject.isOfOthers() && e.errno() == Errno.EPERM;
      if (isOfOthers || !TAKES_NONE.contains(e.errno())) {
        throw e;
      }
      return Optional.of(ErrnoException.messageForUser(e));
    }
  }

  private synchronized void note(Subject subject, Optional<String> why) {
    if (why.isPresent()) {
      refused++;
      if (first.isEmpty()) {
        first = Optional.of(EscapedPath.of(subject.path()) + ": " + why.get());
      }
    }
  }

  /** Returns what could not be set; empty if nothing is to be said. */
  public synchronized Optional<UnsetAttributes> unset() {
    return first.map(why -> new UnsetAttributes(refused, why));
  }
}
