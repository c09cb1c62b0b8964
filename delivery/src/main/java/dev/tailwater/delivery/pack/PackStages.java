package dev.tailwater.delivery.pack;

import dev.tailwater.archive.Codec;

/**
 * What the stages of one destination share about packs.
 *
 * @param use whether short ranges and facts travel in packs; packs of earlier runs are known all
 *     the same
 * @param keptBytes packs that are shorter are kept in memory, to be merged; 0: none
 * @param codec how packs are compressed; never gzip
 * @param facts what is to be said in the next pack
 */
public record PackStages(
    PackSwitch use,
    int keptBytes,
    Codec codec,
    PackGroups groups,
    PackNotes notes,
    FactQueue facts,
    PackInventory inventory) {

  /** Returns whether short ranges and facts travel in packs now. */
  public boolean isOn() {
    return use.isOn();
  }
}
