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
 * A store that was read.
 *
 * @param last what was found in the last file from where the index checkpoint ends
 * @param tailBytes length of what lies behind the last record of the last file, and is cut
 * @param cutBytes of these, up to the last that is not zero: a file may be filled with zeros behind
 *     its end, and these are no loss
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
   * The next record gets a higher number, also than those that were vacuumed. What was cut had
   * higher ones than what was found, and if a file system ever gives it back, it must not pass for
   * what is written there now.
   */
  public long lastSequence() {
    long most = tailBytes / RecordHeader.LENGTH_BYTES;
    long vacuumed = files.inOrder().stream().mapToLong(DataFile::cleanTo).max().orElse(0);
    return Math.max(vacuumed, last.lastSequence()) + (tailBytes == 0 ? 0 : most + 1);
  }
}
