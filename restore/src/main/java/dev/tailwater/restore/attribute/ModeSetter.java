package dev.tailwater.restore.attribute;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Gives restored files, directories and links their modes and times, and counts those that the file
 * system does not take, as FAT and some network mounts do not: without them, all bytes are there.
 * Thread-safe.
 */
public final class ModeSetter {
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

  /** Gives an open file or directory its mode and its modification time. */
  public void give(FileCalls calls, int fd, int mode, long modificationTimeNanos)
      throws ErrnoException {
    Optional<String> refusedMode = refusal(() -> calls.changeMode(fd, mode));
    Optional<String> refusedTime =
        refusal(
            () ->
                calls.changeModificationTime(
                    fd, seconds(modificationTimeNanos), nanos(modificationTimeNanos)));
    note(refusedMode.or(() -> refusedTime));
  }

  /** Gives what has a name its modification time. */
  public void giveTime(FileCalls calls, int dirFd, PosixPath name, long modificationTimeNanos)
      throws ErrnoException {
    note(
        refusal(
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

  private static Optional<String> refusal(Call call) throws ErrnoException {
    try {
      call.run();
      return Optional.empty();
    } catch (ErrnoException e) {
      if (!TAKES_NONE.contains(e.errno())) {
        throw e;
      }
      return Optional.of(ErrnoException.messageForUser(e));
    }
  }

  private synchronized void note(Optional<String> why) {
    if (why.isPresent()) {
      refused++;
      first = first.or(() -> why);
    }
  }

  /** Returns what could not be set; empty if nothing is to be said. */
  public synchronized Optional<UnsetAttributes> unset() {
    return first.map(why -> new UnsetAttributes(refused, why));
  }
}
