package dev.tailwater.store.common;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.store.StoreStatistics.SnapshotStatistics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The snapshots of a store that were taken and not closed. Thread-safe.
 *
 * @param <S> the snapshots
 */
public final class OpenSnapshots<S> {
  private final InstantSource clock;
  private final ToLongFunction<S> takenAtMillis;

  @GuardedBy("this")
  private final Set<S> open = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Begins without snapshots. */
  public OpenSnapshots(InstantSource clock, ToLongFunction<S> takenAtMillis) {
    this.clock = clock;
    this.takenAtMillis = takenAtMillis;
  }

  /** Adds a snapshot that was taken. */
  public synchronized void add(S snapshot) {
    open.add(snapshot);
  }

  /** Removes a snapshot that was closed. */
  public synchronized void remove(S snapshot) {
    open.remove(snapshot);
  }

  /** Returns the open snapshots. */
  public synchronized List<S> all() {
    return List.copyOf(open);
  }

  /** Returns how many are open, and the age of the oldest. */
  public synchronized SnapshotStatistics statistics() {
    long now = clock.millis();
    long oldest = open.stream().mapToLong(takenAtMillis).min().orElse(now);
    return new SnapshotStatistics(open.size(), Duration.ofMillis(Math.max(0, now - oldest)));
  }
}
