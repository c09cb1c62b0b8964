package dev.tailwater.restore.attribute;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.io.AccountTable;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.OptionalLong;

/** The ids that the owners in an archive have on this machine. Immutable. */
public final class OwnerIds {
  private final OwnerChoice choice;
  private final AccountTable users;
  private final AccountTable groups;

  private OwnerIds(OwnerChoice choice, AccountTable users, AccountTable groups) {
    this.choice = choice;
    this.users = users;
    this.groups = groups;
  }

  /** Reads this machine's accounts, if they are asked for by name. */
  public static OwnerIds of(FileCalls calls, OwnerChoice choice) throws IOException {
    boolean byName = choice == OwnerChoice.BY_NAME;
    return new OwnerIds(
        choice,
        byName ? AccountTable.read(calls, AccountTable.USERS) : AccountTable.empty(),
        byName ? AccountTable.read(calls, AccountTable.GROUPS) : AccountTable.empty());
  }

  /** Whether owners matter at all. */
  public boolean areWanted() {
    return choice != OwnerChoice.NONE;
  }

  /** Returns the id of a user. */
  long user(FileOwner owner) {
    return id(users, owner.user(), owner.userId());
  }

  /** Returns the id of a group. */
  long group(FileOwner owner) {
    return id(groups, owner.group(), owner.groupId());
  }

  private static long id(AccountTable table, String name, long id) {
    OptionalLong here = name.isEmpty() ? OptionalLong.empty() : table.id(name);
    return here.orElse(id);
  }

  /** Returns whether something has this owner. */
  public boolean isOwner(FileOwner owner, FileStatus status) {
    return status.ownerId() == user(owner) && status.groupId() == group(owner);
  }
}
