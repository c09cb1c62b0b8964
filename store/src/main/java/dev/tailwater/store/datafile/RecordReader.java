package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;

/** Gets bytes of data files: the one place where reading them can be done in another way. */
interface RecordReader {
  /**
   * Brings a range of a file into the buffer.
   *
   * @return number of bytes that are there, from the beginning of {@link ReadBuffer#bytes()} on;
   *     fewer than asked for where the file ends
   */
  int read(DataFile file, long offsetBytes, int lengthBytes, ReadBuffer into) throws ErrnoException;
}
