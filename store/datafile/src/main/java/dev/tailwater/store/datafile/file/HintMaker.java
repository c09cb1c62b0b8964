package dev.tailwater.store.datafile.file;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.Hint;
import dev.tailwater.store.datafile.format.HintWriter;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.RecordScanner;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Makes the hint of a sealed file by reading the file: of files that were rewritten, or were not
 * written completely since the store was opened. {@link HintLog} writes the hints of other files.
 */
public final class HintMaker {
  private final StoreDirectory directory;
  private final KeyHash hash;
  private final RandomGenerator random;
  private final Background background;

  public HintMaker(
      StoreDirectory directory, KeyHash hash, RandomGenerator random, Background background) {
    this.directory = directory;
    this.hash = hash;
    this.random = random;
    this.background = background;
  }

  void make(DataFile file) throws IOException {
    FileHeader data = file.header();
    try (RecordScanner scanner =
        RecordScanner.over(directory.calls(), file.fd(), file.path(), data)) {
      Hint.write(directory, data, random.nextLong(), out -> copy(scanner, out));
    }
    if (file.isRetired()) { // it was vacuumed meanwhile
      directory.delete(data.name().hintPath());
    }
  }

  private void copy(RecordScanner scanner, HintWriter out) throws IOException {
    RecordScanner.Extent extent =
        scanner.scan(
            FileHeader.LENGTH_BYTES,
            0,
            (header, bytes, from, offset) -> {
              if (!header.has(RecordHeader.MARK)) {
                long hashed = hash.hash(bytes.key(from, header));
                out.add(hashed, header.flags(), offset, header.recordBytes());
                if (header.has(RecordHeader.TAGS | RecordHeader.EXPIRY)) {
                  out.addTags(
                      header.sequence(),
                      bytes.expiresAtMillis(from, header),
                      bytes.tags(from, header));
                }
              }
            });
    if (!extent.sealed() || extent.endBytes() != scanner.sizeBytes()) {
      throw scanner.damaged(extent.endBytes(), "the file is not sealed as a whole");
    }
    out.onDurable(extent.endBytes(), extent.lastSequence(), true);
  }

  /** Makes the hint in the background, and holds the file meanwhile. */
  public void makeSoon(DataFile file) {
    makeSoon(List.of(file));
  }

  /** Makes the hints in the background, one after the other, and holds the files meanwhile. */
  public void makeSoon(List<DataFile> files) {
    if (files.isEmpty()) {
      return;
    }
    files.forEach(DataFile::retain);
    boolean taken = background.run(() -> files.forEach(file -> makeAndRelease(file)));
    if (!taken) {
      files.forEach(file -> release(file));
    }
  }

  private void makeAndRelease(DataFile file) {
    try {
      make(file);
    } catch (IOException | RuntimeException | Error failed) {
      background.failed(failed); // without it the next opening takes longer
    } finally {
      release(file);
    }
  }

  private void release(DataFile file) {
    try {
      file.close();
    } catch (ErrnoException failed) {
      background.failed(failed);
    }
  }
}
