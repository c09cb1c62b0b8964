package dev.tailwater.restore.attribute;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Optional;

/** Gives restored files their owners, and counts those that did not get theirs. Thread-safe. */
public final class Owners {
  private final OwnerIds ids;

  @GuardedBy("this")
  private long refused;

  @GuardedBy("this")
  private long untold;

  @GuardedBy("this")
  private Optional<String> first = Optional.empty();

  private Owners(OwnerIds ids) {
    this.ids = ids;
  }

  /** Creates what gives owners, with the accounts of this machine. */
  public static Owners of(FileCalls calls, OwnerChoice choice) throws IOException {
    return new Owners(OwnerIds.of(calls, choice));
  }

  /** Whether owners are to be set. */
  public boolean areWanted() {
    return ids.areWanted();
  }

  /** Changes the owner of one thing. */
  public interface Change {
    void to(long userId, long groupId) throws ErrnoException;
  }

  /** Gives an open file its owner; false when it does not have it now, or none is told. */
  public boolean give(FileCalls calls, int fd, Optional<FileOwner> owner) throws ErrnoException {
    return areWanted()
        && give(owner, calls.fstat(fd), (user, group) -> calls.changeOwner(fd, user, group));
  }

  /** Gives something its owner; false when it does not have it now, or none is told. */
  public boolean give(Optional<FileOwner> owner, FileStatus now, Change change)
      throws ErrnoException {
    if (!areWanted()) {
      return false;
    }
    if (owner.isEmpty()) {
      noteUntold();
      return false;
    }
    if (ids.isOwner(owner.get(), now)) {
      return true;
    }
    try {
      change.to(ids.user(owner.get()), ids.group(owner.get()));
      return true;
    } catch (ErrnoException e) {
      boolean mayNot =
          e.errno() == Errno.EPERM || e.errno() == Errno.EINVAL || e.errno() == Errno.EOPNOTSUPP;
      if (!mayNot) {
        throw e;
      }
      noteRefusal(ErrnoException.messageForUser(e));
      return false;
    }
  }

  private synchronized void noteRefusal(String why) {
    refused++;
    first = first.or(() -> Optional.of(why));
  }

  private synchronized void noteUntold() {
    untold++;
  }

  /** Returns what became of owners that were to be set; empty if nothing is to be said. */
  public synchronized Optional<UnsetOwners> unset() {
    return refused == 0 && untold == 0
        ? Optional.empty()
        : Optional.of(new UnsetOwners(refused, untold, first));
  }
}
