package dev.tailwater.store.datafile.recovery;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.Hint;
import dev.tailwater.store.datafile.format.HintSummary;
import dev.tailwater.store.datafile.format.HintVisitor;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.RecordScanner;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.datafile.read.FileRecordReader;
import dev.tailwater.store.datafile.read.RecordFetcher;
import dev.tailwater.store.datafile.write.Publisher;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The replay of files into the index: from a hint as far as there is one, else from the records.
 */
final class FileReplay {
  private final StoreDirectory directory;
  private final KeyHash hash;
  private final IndexReplay records;
  private final List<DataFile> withoutHint = new ArrayList<>();
  private boolean usedHintOfLast;

  FileReplay(
      StoreDirectory directory, KeyHash hash, Index index, TagIndex tagIndex, DataFiles files) {
    this.directory = directory;
    this.hash = hash;
    RecordFetcher fetcher = new RecordFetcher(files, new FileRecordReader(directory.calls()));
    Publisher publisher = new Publisher(index, files, tagIndex);
    this.records = new IndexReplay(index, tagIndex, files, publisher, fetcher);
  }

  /** Returns the sealed files that were read record by record. */
  List<DataFile> withoutHint() {
    return withoutHint;
  }

  /** Returns whether the last file was read by its hint, as far as that goes. */
  boolean usedHintOfLast() {
    return usedHintOfLast;
  }

  /** Replays a file that is not the last; returns the number of its last record. */
  long earlier(DataFile file, OpenedFile from, long fromBytes, long lastSequence)
      throws IOException {
    if (fromBytes == from.sizeBytes()) {
      return lastSequence;
    }
    Position known = fromHint(file, from, new Position(fromBytes, lastSequence, false));
    if (known.sealed() && known.offsetBytes() == from.sizeBytes()) {
      return known.sequence();
    }
    withoutHint.add(file);
    RecordScanner.Extent extent = scan(file, known);
    if (extent.torn().isPresent() || !extent.sealed()) {
      throw new DamagedStoreException(
          file.path(),
          extent.endBytes(),
          extent.torn().orElse("the file ends without a seal") + ", and it is not the last");
    }
    return extent.lastSequence();
  }

  /** Replays the last file; returns what was found in it behind the position. */
  RecordScanner.Extent last(DataFile file, OpenedFile from, Position before) throws IOException {
    Position known = fromHint(file, from, before);
    usedHintOfLast = !known.equals(before);
    RecordScanner.Extent extent = scan(file, known);
    records.finish();
    return known.sealed() && extent.endBytes() == known.offsetBytes() ? extent.withSeal() : extent;
  }

  /** Replays the hint of a file that is to be read from its beginning; returns where it ends. */
  private Position fromHint(DataFile file, OpenedFile from, Position before) throws IOException {
    if (before.offsetBytes() > FileHeader.LENGTH_BYTES) {
      return before;
    }
    Optional<HintSummary> hint =
        Hint.read(directory, file.header(), from.sizeBytes(), inFile(file));
    if (hint.isEmpty()) {
      return before;
    }
    HintSummary said = hint.get();
    file.addedBefore(said.records(), said.units(), 0);
    long sequence = Math.max(before.sequence(), said.lastSequence());
    return new Position(said.dataBytes(), sequence, said.sealed());
  }

  private HintVisitor inFile(DataFile file) {
    return new HintVisitor() {
      @Override
      public void record(long hashed, int flags, long unplaced) throws IOException {
        long location = Location.inFile(unplaced, file.number());
        countRemoval(flags, location, file);
        records.add(hashed, flags, location);
      }

      @Override
      public void indexTags(long hashed, long sequence, byte[] tags, long expiresAtMillis)
          throws IOException {
        for (String indexTag : IndexTags.of(tags, expiresAtMillis)) {
          records.indexTag(indexTag, hashed, sequence);
        }
      }

      @Override
      public void indexTag(String indexTag, long hashed, long sequence) throws IOException {
        records.indexTag(indexTag, hashed, sequence);
      }
    };
  }

  private RecordScanner.Extent scan(DataFile file, Position from) throws IOException {
    try (RecordScanner scanner =
        RecordScanner.over(directory.calls(), file.fd(), file.path(), file.header())) {
      RecordScanner.Extent extent =
          scanner.scan(
              from.offsetBytes(),
              from.sequence(),
              (header, bytes, at, offset) -> {
                if (header.has(RecordHeader.MARK)) {
                  file.addedMark();
                } else {
                  long location = Location.of(file.number(), offset, header.recordBytes());
                  file.added(location);
                  long hashed = hash.hash(bytes.key(at, header));
                  countRemoval(header.flags(), location, file);
                  records.add(hashed, header.flags(), location);
                  for (String indexTag : IndexTags.of(bytes, at, header)) {
                    records.indexTag(indexTag, hashed, header.sequence());
                  }
                }
              });
      return extent;
    }
  }

  private static void countRemoval(int flags, long location, DataFile file) {
    if ((flags & RecordHeader.REMOVE) != 0) {
      file.addedRemoval(location);
    }
  }
}
