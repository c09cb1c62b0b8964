package dev.tailwater.store.datafile.read;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.files.Transfers;

/** A reader of records by one pread(2) each, from files to which nobody appends. */
public final class FileRecordReader implements RecordReader {
  private final FileCalls calls;

  public FileRecordReader(FileCalls calls) {
    this.calls = calls;
  }

  @Override
  public int read(DataFile file, long offsetBytes, int lengthBytes, ReadBuffer into)
      throws ErrnoException {
    return Transfers.readFully(
        calls, file.fd(), into.ofSize(lengthBytes).memory().asSlice(0, lengthBytes), offsetBytes);
  }
}
