package dev.tailwater.delivery.tail;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.io.AccountTable;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Names the owners of files by the account tables of this machine, which it reads again when an id
 * is unknown, at most once a minute. What has no name there has an id only. Thread-safe.
 */
public final class OwnerNames {
  private static final long READ_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** More owners than these are named, but each file has an object of its own for it. */
  private static final int MAX_SHARED = 10_000;

  private final Function<PosixPath, AccountTable> reader;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private AccountTable users = AccountTable.empty();

  @GuardedBy("this")
  private AccountTable groups = AccountTable.empty();

  /** Files of one owner share an object. */
  @GuardedBy("this")
  private final Map<Ids, FileOwner> shared = new HashMap<>();

  @GuardedBy("this")
  private boolean isRead;

  @GuardedBy("this")
  private long readNanos;

  private record Ids(long userId, long groupId) {}

  /**
   * Creates names.
   *
   * @param reader reads the table at a path; returns an empty one where it cannot
   */
  OwnerNames(Function<PosixPath, AccountTable> reader, LongSupplier nanoClock) {
    this.reader = reader;
    this.nanoClock = nanoClock;
  }

  /** Creates names that tell ids only. */
  public static OwnerNames idsOnly() {
    return new OwnerNames(_ -> AccountTable.empty(), () -> 0);
  }

  /** Creates the names of this machine. */
  public static OwnerNames ofMachine(FileCalls calls, LongSupplier nanoClock) {
    return new OwnerNames(path -> read(calls, path), nanoClock);
  }

  private static AccountTable read(FileCalls calls, PosixPath path) {
    try {
      return AccountTable.read(calls, path);
    } catch (IOException e) {
      return AccountTable.empty(); // Ids are told all the same, and a later call tries again.
    }
  }

  /** Returns the owner of a file. */
  public FileOwner of(FileStatus status) {
    // The kernel shows what has no id in a user namespace as the overflow id, never as -1.
    return of(
        Math.min(status.ownerId(), FileOwner.MAX_ID), Math.min(status.groupId(), FileOwner.MAX_ID));
  }

  private synchronized FileOwner of(long userId, long groupId) {
    Ids ids = new Ids(userId, groupId);
    FileOwner known = shared.get(ids);
    if (known != null && (isNamed(known) || !mayReadAgain())) {
      return known;
    }
    if (mayReadAgain()) {
      isRead = true;
      readNanos = nanoClock.getAsLong();
      users = reader.apply(AccountTable.USERS);
      groups = reader.apply(AccountTable.GROUPS);
    }
    FileOwner owner =
        new FileOwner(userId, groupId, told(users.name(userId)), told(groups.name(groupId)));
    if (known != null || shared.size() < MAX_SHARED) {
      shared.put(ids, owner);
    }
    return owner;
  }

  @GuardedBy("this")
  private boolean mayReadAgain() {
    return !isRead || nanoClock.getAsLong() - readNanos > READ_AGAIN_NANOS;
  }

  private static boolean isNamed(FileOwner owner) {
    return !owner.user().isEmpty() && !owner.group().isEmpty();
  }

  private static String told(Optional<String> name) {
    return name.filter(text -> text.getBytes(UTF_8).length <= FileOwner.MAX_NAME_BYTES)
        .filter(text -> text.indexOf('\0') < 0)
        .orElse("");
  }
}
