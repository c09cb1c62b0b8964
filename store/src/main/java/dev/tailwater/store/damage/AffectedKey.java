package dev.tailwater.store.damage;

import java.util.Optional;

/**
 * What a damage means for a key.
 *
 * @param key empty when its name cannot be known any more
 * @param keyHash of a key without a name, as the store's index has it; else 0
 * @param damage where its newest record lay; of a {@link Certainty#POSSIBLE} one, the last damage
 *     that can have held a newer record of the key
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record AffectedKey(
    Optional<byte[]> key, long keyHash, Effect effect, Certainty certainty, Damage damage) {

  /** What the key is without the damaged record. */
  public enum Effect {
    /** It is gone. */
    LOST,
    /** It has a value that it had before. */
    OLDER,
    /** It had been removed, and has the value that it had before. */
    RETURNED
  }

  /** How sure that is. */
  public enum Certainty {
    /** An index says so. */
    CERTAIN,
    /** The damaged record itself says so, whose key may be damaged too. */
    LIKELY,
    /** Nothing says so, and nothing speaks against it. */
    POSSIBLE
  }
}
