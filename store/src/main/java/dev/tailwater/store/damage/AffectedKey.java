package dev.tailwater.store.damage;

import java.util.Optional;

/**
 * A key that damage affects.
 *
 * @param key empty when it is not known any more
 * @param keyHash hash of an unknown key, as the store's index has it; else 0
 * @param damage where its newest record lay; of a {@link Certainty#POSSIBLE} one, the last damage
 *     that can have held a newer record of the key
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record AffectedKey(
    Optional<byte[]> key, long keyHash, Effect effect, Certainty certainty, Damage damage) {

  /** What became of the key without the damaged record. */
  public enum Effect {
    /** It is gone. */
    LOST,
    /** It has a value that it had before. */
    OLDER,
    /** It had been removed, and has the value from before the removal. */
    RETURNED
  }

  /** How certain that is. */
  public enum Certainty {
    /**
     * An index says so. Of the last file, whose missing end nothing can tell from one that was
     * never written, it holds as of what the index knew.
     */
    CERTAIN,
    /** The damaged record itself says so, whose key may be damaged too. */
    LIKELY,
    /** There is no evidence for or against it. */
    POSSIBLE
  }
}
