package dev.tailwater.store.datafile.write;

import dev.tailwater.store.Durability;
import dev.tailwater.store.datafile.format.RecordData;
import java.util.List;

/**
 * Changes that are made as one.
 *
 * @param needsCurrent whether the deciders want to see the current records
 */
record WriteRequest(List<KeyChange> changes, boolean needsCurrent, Durability durability) {
  WriteRequest {
    changes = List.copyOf(changes);
  }

  /** A put that does not look at what is there. */
  static WriteRequest put(RecordData data, Durability durability) {
    Decider decider = (current, sequence) -> data;
    return new WriteRequest(List.of(new KeyChange(data.key(), decider)), false, durability);
  }
}
