package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Gets bytes of data files: the one place where reading them can be done in another way. */
interface RecordReader {
  /**
   * Brings a range of a file into the buffer, by a system call where it takes one.
   *
   * @return number of bytes that are there, from the beginning of {@link ReadBuffer#bytes()} on;
   *     fewer than asked for where the file ends
   */
  int read(DataFile file, long offsetBytes, int lengthBytes, ReadBuffer into) throws IOException;

  /**
   * Brings a record into the buffer if that takes no system call. What is there was not checked.
   *
   * @param location of the record
   * @param lengthBytes how much of it is wanted
   * @return number of bytes, as above; 0 when it takes one
   * @throws InternalError when mapped memory could not be read; see {@link #unreadable}. It can
   *     also come later, until the next system call
   */
  default int readQuickly(DataFile file, long location, int lengthBytes, ReadBuffer into) {
    return 0;
  }

  /**
   * The value of this key's record, if it can be taken from mapped memory at once, and is right;
   * null: it has to be read otherwise.
   *
   * @throws InternalError as above
   */
  default byte @Nullable [] mappedValue(DataFile file, long location, byte[] key, ReadBuffer into) {
    return null;
  }

  /** A whole record was read, and found right: it begins at {@code from}. */
  default void wasRead(
      DataFile file, long location, RecordBytes bytes, int from, RecordHeader header) {}

  /** Mapped memory of this file could not be read; from now on it is not. Throws other errors. */
  default void unreadable(DataFile file, InternalError error) {
    throw error;
  }
}
