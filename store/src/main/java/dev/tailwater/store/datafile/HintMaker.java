package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.index.KeyHash;
import dev.tailwater.store.index.Location;
import dev.tailwater.store.segment.Hint;
import dev.tailwater.store.segment.RecordHeader;
import dev.tailwater.store.segment.SegmentHeader;
import dev.tailwater.store.segment.SegmentScanner;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Makes the hint of a sealed file by reading it once more, so that nothing need be remembered while
 * it is written.
 */
final class HintMaker {
  private final StoreDirectory directory;
  private final KeyHash hash;
  private final RandomGenerator random;

  HintMaker(StoreDirectory directory, KeyHash hash, RandomGenerator random) {
    this.directory = directory;
    this.hash = hash;
    this.random = random;
  }

  void make(DataFile file) throws IOException {
    SegmentHeader data = file.header();
    long[] units = new long[1];
    try (Hint.Builder builder = new Hint.Builder();
        SegmentScanner scanner =
            SegmentScanner.over(directory.calls(), file.fd(), file.path(), data)) {
      SegmentScanner.Extent extent =
          scanner.scan(
              SegmentHeader.LENGTH_BYTES,
              0,
              (header, bytes, from, offset) -> {
                if (!header.has(RecordHeader.MARK)) {
                  int length = header.recordBytes();
                  builder.add(
                      hash.hash(bytes.key(from, header)),
                      header.flags(),
                      offset,
                      length,
                      header.sequence(),
                      Labels.of(bytes, from, header));
                  units[0] += DataFile.unitsOf(Location.of(file.number(), offset, length));
                }
              });
      if (!extent.sealed() || extent.endBytes() != scanner.sizeBytes()) {
        throw scanner.damaged(extent.endBytes(), "the file is not sealed as a whole");
      }
      builder.write(
          directory,
          data,
          new Hint.Summary(
              data.salt(), scanner.sizeBytes(), extent.lastSequence(), extent.records(), units[0]),
          random.nextLong());
    }
    if (file.isRetired()) { // it was vacuumed meanwhile
      directory.delete(data.name().hintPath());
    }
  }

  /** Does that in the background, and holds the file so long. */
  void makeSoon(DataFile file, Background background) {
    makeSoon(List.of(file), background);
  }

  /** Does that in the background, one after the other, and holds the files so long. */
  void makeSoon(List<DataFile> files, Background background) {
    if (files.isEmpty()) {
      return;
    }
    files.forEach(DataFile::retain);
    boolean taken = background.run(() -> files.forEach(file -> makeAndRelease(file, background)));
    if (!taken) {
      files.forEach(file -> release(file, background));
    }
  }

  private void makeAndRelease(DataFile file, Background background) {
    try {
      make(file);
    } catch (IOException | RuntimeException | Error failed) {
      background.failed(failed); // without it the next opening takes longer
    } finally {
      release(file, background);
    }
  }

  private static void release(DataFile file, Background background) {
    try {
      file.close();
    } catch (ErrnoException failed) {
      background.failed(failed);
    }
  }
}
