package dev.tailwater.delivery.room;

import dev.tailwater.posix.PosixPath;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Remembers for a second who owns a path, for the few that are asked for with each file that waits.
 * Thread-safe.
 */
public final class RecentOwners implements OpenFiles.Owners {
  private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final OpenFiles.Owners owners;
  private final LongSupplier nanoClock;
  private final Map<PosixPath, Seen> seen = new ConcurrentHashMap<>();

  private record Seen(OptionalLong owner, long atNanos) {}

  public RecentOwners(OpenFiles.Owners owners, LongSupplier nanoClock) {
    this.owners = owners;
    this.nanoClock = nanoClock;
  }

  @Override
  public OptionalLong of(PosixPath path) {
    long now = nanoClock.getAsLong();
    Seen last = seen.get(path);
    if (last == null || now - last.atNanos >= REMEMBERED_NANOS) {
      last = new Seen(owners.of(path), now);
      seen.put(path, last);
    }
    return last.owner;
  }
}
