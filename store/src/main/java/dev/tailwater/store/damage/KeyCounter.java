package dev.tailwater.store.damage;

import dev.tailwater.store.damage.AffectedKey.Certainty;
import dev.tailwater.store.damage.AffectedKey.Effect;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** A counter of affected keys, which passes them on to a listener. Used by one thread. */
public final class KeyCounter {
  private final DamageListener listener;
  private final Map<Effect, Long> counts = new EnumMap<>(Effect.class);
  private long possible;

  /** Counts from 0. */
  public KeyCounter(DamageListener listener) {
    this.listener = listener;
  }

  /** Counts the key and passes it on. */
  public void key(AffectedKey key) throws IOException {
    if (key.certainty() == Certainty.POSSIBLE) {
      possible++;
    } else {
      counts.merge(key.effect(), 1L, Long::sum);
    }
    listener.key(key);
  }

  /** Returns the counts. */
  public StoreCheck.Keys counted(long unnamedAtMost) {
    return new StoreCheck.Keys(
        counts.getOrDefault(Effect.LOST, 0L),
        counts.getOrDefault(Effect.OLDER, 0L),
        counts.getOrDefault(Effect.RETURNED, 0L),
        possible,
        unnamedAtMost);
  }
}
