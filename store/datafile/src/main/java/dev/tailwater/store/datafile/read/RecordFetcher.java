package dev.tailwater.store.datafile.read;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.StoreReadException;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Location;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A fetcher of the record at a location, which it verifies. Thread-safe. */
public final class RecordFetcher {
  private final DataFiles files;
  private final RecordReader reader;

  public RecordFetcher(DataFiles files, RecordReader reader) {
    this.files = files;
    this.reader = reader;
  }

  /** The outcome of a fetch. */
  public enum Outcome {
    /** The record is at the beginning of the buffer. */
    THERE,
    /** The file is gone: look up the location again. */
    GONE,
    /** There is no such record at this place. */
    DAMAGED
  }

  /** Reads and verifies the whole record, by at most one system call for records up to 4 MiB. */
  public Outcome fetch(long location, ReadBuffer into) throws IOException {
    DataFile file = files.at(location);
    if (file == null) {
      return Outcome.GONE;
    }
    Outcome outcome = fetchQuickly(file, location, into);
    return outcome == null ? fetchByCall(file, location, into) : outcome;
  }

  /** As {@link #fetch}, if that takes no system call; null when it does. */
  @Nullable Outcome fetchQuickly(long location, ReadBuffer into) throws IOException {
    DataFile file = files.at(location);
    return file == null ? Outcome.GONE : fetchQuickly(file, location, into);
  }

  /**
   * Returns the value of this key's record, if it can be taken from mapped memory at once; else
   * null. May cause an {@link InternalError}, also later: {@link #unreadable}.
   */
  byte @Nullable [] mappedValue(DataFile file, long location, byte[] key, ReadBuffer into) {
    return reader.mappedValue(file, location, key, into);
  }

  /** Handles an error of mapped memory; throws any other error. */
  void unreadable(DataFile file, InternalError error) {
    reader.unreadable(file, error);
  }

  private @Nullable Outcome fetchQuickly(DataFile file, long location, ReadBuffer into)
      throws IOException {
    int length = Location.maxLengthBytes(location);
    if (length == 0) {
      return null;
    }
    try {
      int read = reader.readQuickly(file, location, length, into);
      if (read == 0) {
        return null;
      }
      if (isWhole(file, location, into.bytes(), 0, read, into.header())) {
        if (into.isSample) {
          reader.wasRead(file, location, into.bytes(), 0, into.header());
        }
        return Outcome.THERE;
      }
      // In here: if memory could not be read, this call is where the JVM says so at the latest.
      return fetchByCall(file, location, into);
    } catch (InternalError error) {
      reader.unreadable(file, error);
      return fetchByCall(file, location, into);
    }
  }

  private Outcome fetchByCall(DataFile file, long location, ReadBuffer into) throws IOException {
    int length = Location.maxLengthBytes(location);
    if (length == 0) {
      if (!readHeader(file, location, RecordHeader.LENGTH_BYTES, into)) {
        return Outcome.DAMAGED;
      }
      length = into.header().recordBytes();
    }
    int read = read(file, Location.offsetBytes(location), length, into);
    if (!isWhole(file, location, into.bytes(), 0, read, into.header())) {
      return Outcome.DAMAGED;
    }
    reader.wasRead(file, location, into.bytes(), 0, into.header());
    return Outcome.THERE;
  }

  /**
   * Returns whether there is a whole record.
   *
   * @param from where it begins
   * @param readBytes number of bytes from there on
   * @param header filled
   */
  static boolean isWhole(
      DataFile file,
      long location,
      RecordBytes bytes,
      int from,
      int readBytes,
      RecordHeader header) {
    return readBytes >= RecordHeader.LENGTH_BYTES
        && bytes.readHeader(from, file.header().salt(), Location.offsetBytes(location), header)
        && header.recordBytes() <= readBytes
        && bytes.bodyIsWhole(from, header);
  }

  /** As the other method, for a location in a file that is there and bytes in the buffer. */
  boolean isWhole(long location, int from, int readBytes, ReadBuffer buffer) {
    return isWhole(
        files.owning(location), location, buffer.bytes(), from, readBytes, buffer.header());
  }

  /**
   * Reads bytes from a location on, in a file that is there, and does not verify them.
   *
   * @return how many there are at the beginning of the buffer
   */
  int read(long location, int lengthBytes, ReadBuffer into) throws IOException {
    return read(files.owning(location), Location.offsetBytes(location), lengthBytes, into);
  }

  /** Returns the file that this location names; null when it is gone. */
  @Nullable DataFile fileAt(long location) {
    return files.at(location);
  }

  /**
   * Returns whether the record at this location is of this key. Reads no more than it needs; what
   * is behind the key is not verified.
   *
   * @throws DamagedStoreException when there is no record
   */
  public boolean hasKey(long location, byte[] key, ReadBuffer into) throws IOException {
    DataFile file = files.owning(location);
    int most = RecordHeader.LENGTH_BYTES + RecordHeader.MAX_PREFIX_BYTES + key.length;
    int length = Location.maxLengthBytes(location);
    int wanted = length == 0 ? most : Math.min(length, most);
    RecordHeader header = into.header();
    if (!readHeaderQuickly(file, location, wanted, into)) {
      throw damaged(location, "no record");
    }
    if (header.keyBytes() != key.length) {
      return false;
    }
    if (header.keyOffsetBytes() + header.keyBytes() > wanted) {
      throw damaged(location, "a record that is longer than the index says");
    }
    return into.bytes().keyIs(0, header, key);
  }

  /** As {@link #readHeader}, without a system call if it can be. */
  private boolean readHeaderQuickly(DataFile file, long location, int lengthBytes, ReadBuffer into)
      throws IOException {
    try {
      int read = reader.readQuickly(file, location, lengthBytes, into);
      if (read >= RecordHeader.LENGTH_BYTES && checkHeader(file, location, into)) {
        return true;
      }
      // In here: if memory could not be read, this call is where the JVM says so at the latest.
      return readHeader(file, location, lengthBytes, into);
    } catch (InternalError error) {
      reader.unreadable(file, error);
      return readHeader(file, location, lengthBytes, into);
    }
  }

  private boolean readHeader(DataFile file, long location, int lengthBytes, ReadBuffer into)
      throws IOException {
    int read = read(file, Location.offsetBytes(location), lengthBytes, into);
    int needed = Math.min(lengthBytes, RecordHeader.LENGTH_BYTES);
    return read >= needed && checkHeader(file, location, into);
  }

  private int read(DataFile file, long offsetBytes, int lengthBytes, ReadBuffer into)
      throws IOException {
    try {
      return reader.read(file, offsetBytes, lengthBytes, into);
    } catch (ErrnoException failed) {
      throw new StoreReadException(file.path(), offsetBytes, failed);
    }
  }

  private static boolean checkHeader(DataFile file, long location, ReadBuffer into) {
    RecordBytes bytes = into.bytes();
    return bytes.readHeader(0, file.header().salt(), Location.offsetBytes(location), into.header());
  }

  /** Returns an exception for this location, which must be in a file that is there. */
  public DamagedStoreException damaged(long location, String why) {
    @Nullable DataFile file = files.owning(location);
    return new DamagedStoreException(file.path(), Location.offsetBytes(location), why);
  }
}
