package dev.tailwater.store.simulated;

import dev.tailwater.store.damage.AffectedKey;
import dev.tailwater.store.damage.AffectedKey.Certainty;
import dev.tailwater.store.damage.AffectedKey.Effect;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.RepairListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps what a check or a repair says. */
public final class Findings implements RepairListener {
  public final List<Damage> damages = new ArrayList<>();
  public final Map<String, AffectedKey> keys = new HashMap<>();
  public long lostWithoutName;
  public boolean changed;

  @Override
  public void damage(Damage damage) {
    damages.add(damage);
  }

  @Override
  public void key(AffectedKey key) {
    if (key.key().isPresent()) {
      keys.put(Texts.text(key.key().get()), key);
    } else {
      lostWithoutName += key.effect() == Effect.LOST ? 1 : 0;
    }
  }

  @Override
  public void progress(long doneBytes, long ofBytes) {
    if (doneBytes > ofBytes) {
      throw new AssertionError(doneBytes + " of " + ofBytes);
    }
  }

  @Override
  public void beforeChange() {
    changed = true;
  }

  public boolean isCertain(String key) {
    return keys.containsKey(key) && keys.get(key).certainty() == Certainty.CERTAIN;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("damages " + damages + ", keys");
    keys.forEach(
        (key, what) ->
            text.append(' ')
                .append(key)
                .append('=')
                .append(what.effect())
                .append('/')
                .append(what.certainty()));
    return text + ", without name " + lostWithoutName;
  }
}
