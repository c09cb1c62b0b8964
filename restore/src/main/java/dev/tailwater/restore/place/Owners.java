package dev.tailwater.restore.place;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.io.AccountTable;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** Gives restored files their owners, and counts those that did not get theirs. Thread-safe. */
final class Owners {
  private final OwnerChoice choice;
  private final AccountTable users;
  private final AccountTable groups;

  @GuardedBy("this")
  private long refused;

  @GuardedBy("this")
  private long untold;

  @GuardedBy("this")
  private Optional<String> first = Optional.empty();

  private Owners(OwnerChoice choice, AccountTable users, AccountTable groups) {
    this.choice = choice;
    this.users = users;
    this.groups = groups;
  }

  static Owners of(FileCalls calls, OwnerChoice choice) throws IOException {
    boolean byName = choice == OwnerChoice.BY_NAME;
    return new Owners(
        choice,
        byName ? AccountTable.read(calls, AccountTable.USERS) : AccountTable.empty(),
        byName ? AccountTable.read(calls, AccountTable.GROUPS) : AccountTable.empty());
  }

  /** Whether owners are to be set. */
  boolean areWanted() {
    return choice != OwnerChoice.NONE;
  }

  private static long id(AccountTable table, String name, long id) {
    OptionalLong here = name.isEmpty() ? OptionalLong.empty() : table.id(name);
    return here.orElse(id);
  }

  /** Changes the owner of one thing. */
  interface Change {
    void to(long userId, long groupId) throws ErrnoException;
  }

  /** Gives an open file its owner; false when it does not have it now, or none is told. */
  boolean give(FileCalls calls, int fd, Optional<FileOwner> owner) throws ErrnoException {
    return give(owner, calls.fstat(fd), (user, group) -> calls.changeOwner(fd, user, group));
  }

  /** Gives something its owner; false when it does not have it now, or none is told. */
  boolean give(Optional<FileOwner> owner, FileStatus now, Change change) throws ErrnoException {
    if (choice == OwnerChoice.NONE) {
      return false;
    }
    if (owner.isEmpty()) {
      noteUntold();
      return false;
    }
    long user = id(users, owner.get().user(), owner.get().userId());
    long group = id(groups, owner.get().group(), owner.get().groupId());
    if (now.ownerId() == user && now.groupId() == group) {
      return true;
    }
    try {
      change.to(user, group);
      return true;
    } catch (ErrnoException e) {
      boolean mayNot =
          e.errno() == Errno.EPERM || e.errno() == Errno.EINVAL || e.errno() == Errno.EOPNOTSUPP;
      if (!mayNot) {
        throw e;
      }
      noteRefusal(String.valueOf(e.getMessage()));
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
  synchronized Optional<UnsetOwners> unset() {
    return refused == 0 && untold == 0
        ? Optional.empty()
        : Optional.of(new UnsetOwners(refused, untold, first));
  }
}
