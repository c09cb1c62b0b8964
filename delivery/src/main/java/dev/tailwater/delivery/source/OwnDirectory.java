package dev.tailwater.delivery.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.watch.event.InodeKey;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which inode one of the agent's own directories is. A file server that does not answer holds a
 * caller up once, for a second; what was known before counts until it answers. Thread-safe.
 */
final class OwnDirectory {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Set<StatFlag> FOLLOW = EnumSet.noneOf(StatFlag.class);

  private final FileCalls calls;
  private final PosixPath path;

  @GuardedBy("this")
  private Optional<InodeKey> inode = Optional.empty();

  @GuardedBy("this")
  private boolean looking;

  OwnDirectory(FileCalls calls, PosixPath path) {
    this.calls = calls;
    this.path = path;
  }

  /** Returns whether the directory had this status when it was last looked at. */
  synchronized boolean is(FileStatus status) {
    return inode.isPresent() && inode.get().isOf(status);
  }

  /** Returns whether nothing was at its path when it was last looked at. */
  synchronized boolean isMissing() {
    return inode.isEmpty();
  }

  /** Finds out which inode it is now. */
  void look() {
    synchronized (this) {
      if (looking) {
        return; // The last look has not ended: it would hold up this one as well.
      }
      looking = true;
    }
    Thread thread = Thread.ofPlatform().name("own-directory").daemon(true).start(this::ask);
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask() {
    try {
      FileStatus status = calls.statx(FileCalls.AT_FDCWD, path, FOLLOW);
      found(Optional.of(status).filter(is -> is.type() == EntryType.DIRECTORY).map(InodeKey::of));
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
        found(Optional.empty()); // Its inode number may be another directory's by now.
      }
    } finally {
      synchronized (this) {
        looking = false;
      }
    }
  }

  private synchronized void found(Optional<InodeKey> now) {
    inode = now;
  }
}
