package dev.tailwater.store.datafile.recovery;

import dev.tailwater.store.common.Unwinding;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.Optional;

/**
 * The indexes at the start of an opening: filled from the index checkpoint, or empty.
 *
 * @param coverage what the checkpoint covers; empty when there is no usable one
 */
record InitialIndex(Index index, TagIndex tagIndex, Optional<IndexCheckpoint.Coverage> coverage) {

  /**
   * Reads the checkpoint. The caller closes the indexes; when this throws, nothing is left open.
   */
  static InitialIndex read(
      StoreDirectory directory, FileHeader data, IndexCheckpoint.Acceptance acceptance)
      throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      Index index = unwinding.add(new Index());
      TagIndex tagIndex = unwinding.add(new TagIndex());
      Optional<IndexCheckpoint.Coverage> coverage =
          IndexCheckpoint.read(directory, data, acceptance, index, tagIndex);
      if (coverage.isPresent()) {
        unwinding.keepAll();
        return new InitialIndex(index, tagIndex, coverage);
      }
    }
    return new InitialIndex(new Index(), new TagIndex(), Optional.empty());
  }
}
