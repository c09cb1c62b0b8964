package dev.tailwater.delivery.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The directories that the agent itself writes to, by their inodes: a bind mount shows them at
 * paths that do not tell what they are. A comparison makes no call, except that the directories
 * themselves are looked at again after ten seconds, and when one that was missing may have been
 * made. Thread-safe.
 */
public final class OwnDirectories {
  private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How much earlier a change time may be than the clock: the kernel's ticks, and some more. */
  private static final long CLOCK_SLACK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<OwnDirectory> directories;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private long lookedNanos;

  /** When it was last looked, by the clock that makes change times. */
  @GuardedBy("this")
  private long lookedAtEpochNanos;

  @GuardedBy("this")
  private boolean looked;

  /**
   * Creates the set. Nothing is looked at before the first comparison.
   *
   * @param paths where they are, or will be once they are made
   */
  public OwnDirectories(FileCalls calls, List<PosixPath> paths, LongSupplier nanoClock) {
    this.directories =
        paths.stream().distinct().map(path -> new OwnDirectory(calls, path)).toList();
    this.nanoClock = nanoClock;
  }

  /** Returns whether it is the status of one of them. */
  public boolean include(FileStatus directory) {
    if (directories.isEmpty()) {
      return false;
    }
    lookIfDue(directory);
    for (OwnDirectory own : directories) {
      if (own.is(directory)) {
        return true;
      }
    }
    return false;
  }

  private synchronized void lookIfDue(FileStatus directory) {
    boolean late = !looked || nanoClock.getAsLong() - lookedNanos >= LOOK_AGAIN_NANOS;
    // To make a directory, or to rename it, sets its change time.
    boolean isNew = directory.changeTimeNanos() >= lookedAtEpochNanos - CLOCK_SLACK_NANOS;
    if (!late && !(isNew && directories.stream().anyMatch(OwnDirectory::isMissing))) {
      return;
    }
    looked = true;
    lookedNanos = nanoClock.getAsLong();
    lookedAtEpochNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    for (OwnDirectory own : directories) {
      if (late || own.isMissing()) {
        own.look();
      }
    }
  }
}
