package dev.tailwater.store.datafile.file;

import dev.tailwater.store.datafile.index.EntryBuffer;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.TagIndex;
import java.util.Optional;

/** Fills the {@link ExpiryEstimate} of each file from the indexes, without reading any file. */
public final class ExpiryScan {
  private static final int PAIRS_AT_ONCE = 1024;

  private ExpiryScan() {}

  /** Tells each file when its records expire, as far as the indexes know. */
  public static void run(TagIndex tagIndex, Index index, DataFiles files) {
    EntryBuffer pairs = new EntryBuffer(PAIRS_AT_ONCE);
    Optional<String> indexTag = tagIndex.firstFrom(IndexTags.firstExpiry());
    while (indexTag.isPresent() && IndexTags.isExpiry(indexTag.get())) {
      long endMillis = IndexTags.lastMillis(indexTag.get());
      long fromHash = 0;
      do {
        tagIndex.pairs(indexTag.get(), fromHash, pairs);
        for (int i = 0; i < pairs.size(); i++) {
          add(index, pairs.hash(i), endMillis, files);
        }
        fromHash = pairs.nextHash();
      } while (!pairs.isAtEnd());
      indexTag = tagIndex.firstFrom(IndexTags.behind(indexTag.get()));
    }
  }

  private static void add(Index index, long hash, long endMillis, DataFiles files) {
    long[] all = new long[4]; // of more keys with one hash, some are forgotten
    int count = Math.min(all.length, index.findAll(hash, all));
    for (int i = 0; i < count; i++) {
      files.owning(all[i]).expiry().add(endMillis, DataFile.unitsOf(all[i]));
    }
  }
}
