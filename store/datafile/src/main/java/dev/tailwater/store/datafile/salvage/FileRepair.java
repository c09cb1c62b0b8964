package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.FileHeader.FileType;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.SalvageScanner;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The repair of a damaged file: rewrites it under its temporary name with every whole record, its
 * number, and a seal.
 */
final class FileRepair {
  private static final int PLACEHOLDER_KEY_BYTES = 16;

  private final StoreDirectory directory;
  private final StoreIdentity identity;
  private final RandomGenerator random;

  FileRepair(StoreDirectory directory, StoreIdentity identity, RandomGenerator random) {
    this.directory = directory;
    this.identity = identity;
    this.random = random;
  }

  /**
   * Writes it, durably.
   *
   * @param lastSequence number of the last record before the file
   * @param skipTo later numbers continue after this, if it is above all numbers in the file, so
   *     that the number of a lost record is never reused
   */
  void write(SurveyedFile file, long lastSequence, long skipTo) throws IOException {
    FileCalls calls = directory.calls();
    FileHeader header = new FileHeader(FileType.DATA, file.name(), identity, random.nextLong());
    int fd = directory.create(file.name().temporaryPath());
    try (SalvageWriter writer = new SalvageWriter(calls, fd, header, lastSequence)) {
      if (!file.missing() && file.salt().isPresent()) {
        copy(file, lastSequence, writer);
      }
      if (skipTo > writer.lastSequence()) {
        byte[] nobodysKey = new byte[PLACEHOLDER_KEY_BYTES];
        random.nextBytes(nobodysKey);
        writer.add(RecordData.remove(nobodysKey), 0, skipTo);
      }
      writer.seal();
      calls.fsync(fd);
    } finally {
      calls.close(fd);
    }
  }

  private void copy(SurveyedFile file, long lastSequence, SalvageWriter writer) throws IOException {
    int fd = directory.openToRead(file.name().path());
    try (SalvageScanner scanner =
        SalvageScanner.over(directory.calls(), fd, file.path(), file.salt().getAsLong())) {
      Copying copying = new Copying(writer);
      scanner.scan(lastSequence, file.endBytes(), copying);
      copying.endBatch();
    } finally {
      directory.calls().close(fd);
    }
  }

  /** One record behind, because a batch must end where the next record is gone. */
  private static final class Copying implements SalvageScanner.Visitor {
    private final SalvageWriter writer;
    private @Nullable RecordData pending;
    private int flags;
    private long sequence;

    Copying(SalvageWriter writer) {
      this.writer = writer;
    }

    @Override
    public void whole(RecordHeader header, RecordBytes bytes, int from, long offsetBytes)
        throws IOException {
      if (header.has(RecordHeader.MARK)) {
        endBatch();
        return;
      }
      flush(flags);
      pending = bytes.data(from, header);
      flags = header.flags() & (RecordHeader.MORE | RecordHeader.COLLIDES);
      sequence = header.sequence();
    }

    @Override
    public void broken(RecordHeader header, RecordBytes bytes, int from, long offsetBytes) {
      // Damaged records are left out.
    }

    @Override
    public void gap(long fromBytes, long toBytes, String why) throws IOException {
      endBatch();
    }

    void endBatch() throws ErrnoException {
      flush(flags & ~RecordHeader.MORE);
    }

    private void flush(int withFlags) throws ErrnoException {
      if (pending != null) {
        writer.add(pending, withFlags, sequence);
        pending = null;
      }
    }
  }
}
