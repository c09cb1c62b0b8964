package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A way to read bytes of data files. */
interface RecordReader {
  /**
   * Reads a range of a file into the buffer, by a system call if necessary.
   *
   * @return number of bytes that are there, from the beginning of {@link ReadBuffer#bytes()} on;
   *     fewer than asked for where the file ends
   */
  int read(DataFile file, long offsetBytes, int lengthBytes, ReadBuffer into) throws IOException;

  /**
   * Reads a record into the buffer if that takes no system call. Does not verify it.
   *
   * @param location of the record
   * @param lengthBytes how much of it is wanted
   * @return number of bytes, as above; 0 when it takes a system call
   * @throws InternalError when mapped memory could not be read; see {@link #unreadable}. It can
   *     also come later, until the next system call
   */
  default int readQuickly(DataFile file, long location, int lengthBytes, ReadBuffer into) {
    return 0;
  }

  /**
   * Returns the verified value of this key's record, if it can be taken from mapped memory at once;
   * null when it has to be read otherwise.
   *
   * @throws InternalError as above
   */
  default byte @Nullable [] mappedValue(DataFile file, long location, byte[] key, ReadBuffer into) {
    return null;
  }

  /** Called for each whole, verified record that was read; it begins at {@code from}. */
  default void wasRead(
      DataFile file, long location, RecordBytes bytes, int from, RecordHeader header) {}

  /** Stops mapped reads of a file whose mapped memory could not be read; throws other errors. */
  default void unreadable(DataFile file, InternalError error) {
    throw error;
  }
}
