package dev.tailwater.store.damage;

import java.io.IOException;

/**
 * Receives what a check finds, one by one, so that nothing need be kept. All damages come first.
 */
public interface DamageListener {
  /** Receives a damaged range. */
  void damage(Damage damage) throws IOException;

  /** Receives an affected key. */
  void key(AffectedKey key) throws IOException;

  /** Reports progress; called often. */
  void progress(long doneBytes, long ofBytes);

  /** Returns a listener that ignores everything. */
  static DamageListener none() {
    return new DamageListener() {
      @Override
      public void damage(Damage damage) {}

      @Override
      public void key(AffectedKey key) {}

      @Override
      public void progress(long doneBytes, long ofBytes) {}
    };
  }
}
