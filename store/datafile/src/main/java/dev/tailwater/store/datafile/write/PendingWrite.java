package dev.tailwater.store.datafile.write;

import java.util.List;

/** A record that becomes visible once it is durable. */
record PendingWrite(
    PendingKey key, long sequence, long location, boolean removes, List<String> indexTags) {
  PendingWrite {
    indexTags = List.copyOf(indexTags);
  }
}
