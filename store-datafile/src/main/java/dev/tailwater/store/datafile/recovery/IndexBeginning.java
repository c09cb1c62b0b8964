package dev.tailwater.store.datafile.recovery;

import dev.tailwater.store.datafile.format.IndexSnapshot;
import dev.tailwater.store.datafile.format.SegmentHeader;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.LabelIndex;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Unwinding;
import java.io.IOException;
import java.util.Optional;

/**
 * The indexes that an opening begins with: filled from the index snapshot, or empty.
 *
 * @param coverage what the snapshot covers; empty when there is none of use
 */
record IndexBeginning(Index index, LabelIndex labels, Optional<IndexSnapshot.Coverage> coverage) {

  /** Reads the snapshot. The caller closes the indexes; when this throws, nothing is left open. */
  static IndexBeginning read(
      StoreDirectory directory, SegmentHeader data, IndexSnapshot.Acceptance acceptance)
      throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      Index index = unwinding.add(new Index());
      LabelIndex labels = unwinding.add(new LabelIndex());
      Optional<IndexSnapshot.Coverage> coverage =
          IndexSnapshot.read(directory, data, acceptance, index, labels);
      if (coverage.isPresent()) {
        unwinding.keepAll();
        return new IndexBeginning(index, labels, coverage);
      }
    }
    return new IndexBeginning(new Index(), new LabelIndex(), Optional.empty());
  }
}
