package dev.tailwater.restore.compact;

import dev.tailwater.archive.name.PackId;
import java.util.ArrayList;
import java.util.List;

/** Which neighbouring packs of a group become one. */
final class PackChunks {
  /** A merged pack is made of at most this much; a longer pack stays as it is. */
  static final long MOST_BYTES = 32L << 20;

  /** The same in raw bytes. */
  static final long MOST_RAW_BYTES = 256L << 20;

  private PackChunks() {}

  /**
   * Returns the packs that are to be merged with each other: two or more each.
   *
   * @param packs in their order, none covered by another one
   */
  static List<List<StoredPack>> of(List<StoredPack> packs) {
    List<List<StoredPack>> chunks = new ArrayList<>();
    List<StoredPack> chunk = new ArrayList<>();
    for (StoredPack pack : packs) {
      if (!chunk.isEmpty() && !fits(chunk, pack)) {
        chunks.add(chunk);
        chunk = new ArrayList<>();
      }
      chunk.add(pack);
    }
    chunks.add(chunk);
    return chunks.stream().filter(one -> one.size() > 1).toList();
  }

  private static boolean fits(List<StoredPack> chunk, StoredPack next) {
    PackId before = chunk.getLast().name().id();
    long bytes = next.objectBytes();
    long rawBytes = next.opened().directory().rawBytes();
    for (StoredPack pack : chunk) {
      bytes += pack.objectBytes();
      rawBytes += pack.opened().directory().rawBytes();
    }
    return next.name().id().first() <= before.last() + 1
        && next.name().encrypted() == chunk.getLast().name().encrypted()
        && bytes <= MOST_BYTES
        && rawBytes <= MOST_RAW_BYTES;
  }
}
