package dev.tailwater.store.common;

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
  private final Set<S> open = Collections.newSetFromMap(new IdentityHashMap<>());

  /** None. */
  public OpenSnapshots(InstantSource clock, ToLongFunction<S> takenAtMillis) {
    this.clock = clock;
    this.takenAtMillis = takenAtMillis;
  }

  /** One was taken. */
  public synchronized void add(S snapshot) {
    open.add(snapshot);
  }

  /** One was closed. */
  public synchronized void remove(S snapshot) {
    open.remove(snapshot);
  }

  /** All that are there. */
  public synchronized List<S> all() {
    return List.copyOf(open);
  }

  /** What is told of them. */
  public synchronized SnapshotStatistics statistics() {
    long now = clock.millis();
    long oldest = open.stream().mapToLong(takenAtMillis).min().orElse(now);
    return new SnapshotStatistics(open.size(), Duration.ofMillis(Math.max(0, now - oldest)));
  }
}
