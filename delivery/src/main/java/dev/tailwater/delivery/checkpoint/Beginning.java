package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.name.PackGroup;

/**
 * Where a state begins in an archive that has packs of an earlier state, which the agent cannot
 * read: their content key was lost with that state, or they are in cold storage. All that this
 * state knows is behind them.
 *
 * @param firstEpoch the epoch of the first stream of every file; no earlier stream has one as high
 * @param group sorts behind the groups of all earlier packs, and before those of this state
 */
public record Beginning(int firstEpoch, PackGroup group) {
  /** Of a state that knows the archive from its beginning. */
  public static final Beginning OF_ARCHIVE = new Beginning(0, PackGroup.EARLIEST);

  public Beginning {
    if (firstEpoch < 0) {
      throw new IllegalArgumentException("an epoch is 0 or more, not " + firstEpoch);
    }
  }
}
