package dev.tailwater.store.datafile.recovery;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.RecordScanner;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.TagIndex;
import java.util.List;

/**
 * A recovered store.
 *
 * @param last what was found in the last file after the end of the index checkpoint
 * @param tailBytes length of what is behind the last record of the last file, and is cut off
 * @param cutBytes the part of it up to the last byte that is not zero; zeros that a file was filled
 *     with are no loss
 * @param withoutHint sealed files that were read record by record
 */
public record Recovered(
    StoreIdentity identity,
    DataFiles files,
    Index index,
    TagIndex tagIndex,
    RecordScanner.Extent last,
    long tailBytes,
    long cutBytes,
    List<DataFile> withoutHint) {

  /**
   * Returns a number below that of the next record. It is not below those of vacuumed records, nor
   * of records that may have been cut off: if a file system ever brings those back, they must not
   * be taken for what is written there now.
   */
  public long lastSequence() {
    long most = tailBytes / RecordHeader.LENGTH_BYTES;
    long vacuumed = files.inOrder().stream().mapToLong(DataFile::cleanTo).max().orElse(0);
    return Math.max(vacuumed, last.lastSequence()) + (tailBytes == 0 ? 0 : most + 1);
  }
}
