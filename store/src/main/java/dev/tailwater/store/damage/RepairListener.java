package dev.tailwater.store.damage;

import java.io.IOException;

/** A listener that also learns when a repair is about to change the store. */
public interface RepairListener extends DamageListener {
  /**
   * The originals are kept and the new files are on disk, but do not take their place yet. When
   * this throws, the store stays as it is. A report should be durable before it returns.
   */
  void beforeChange() throws IOException;

  /** Returns a listener that ignores everything. */
  static RepairListener none() {
    return new RepairListener() {
      @Override
      public void damage(Damage damage) {}

      @Override
      public void key(AffectedKey key) {}

      @Override
      public void progress(long doneBytes, long ofBytes) {}

      @Override
      public void beforeChange() {}
    };
  }
}
