package dev.tailwater.store.damage;

import java.io.IOException;

/** Is told what is found, one by one, so that nothing need be kept. All damages come first. */
public interface DamageListener {
  /** A damaged range. */
  void damage(Damage damage) throws IOException;

  /** A key that is not what it was. */
  void key(AffectedKey key) throws IOException;

  /** So much has been read of so much; called often. */
  void progress(long doneBytes, long ofBytes);

  /** One that takes no notice. */
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
