package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * A sequential reader of the records of a sealed data file, in a fixed amount of memory: a longer
 * record passes in pieces. Every byte of the file is verified, even of unwanted records, because a
 * damaged key is another key. Used by one thread.
 *
 * <pre>{@code
 * while (reader.next()) {
 *   if (wanted(reader.key())) {
 *     reader.copyBody(target);
 *   }
 * }
 * }</pre>
 */
public final class SealedFileReader implements AutoCloseable {
  /** Reads a part of the file. */
  @FunctionalInterface
  public interface Source {
    /** As many bytes as fit, fewer only where the file ends. */
    int read(MemorySegment target, long offsetBytes) throws IOException;
  }

  /** Takes the body of a record, piece by piece. */
  @FunctionalInterface
  public interface Target {
    /** The next bytes, which are only lent. */
    void take(MemorySegment piece) throws ErrnoException;
  }

  private static final int WINDOW_BYTES = 1024 * 1024;
  private static final int HEADER_BYTES = RecordHeader.LENGTH_BYTES;

  private final PosixPath file;
  private final FileHeader header;
  private final long sizeBytes;
  private final Source source;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final RecordBytes window;
  private final RecordHeader record = new RecordHeader();
  private final CRC32C crc = new CRC32C();
  private long windowStartBytes;
  private int windowBytes;
  private long offsetBytes;
  private long endBytes = FileHeader.LENGTH_BYTES;
  private boolean bodyPending;
  private boolean sealed;
  private long lastSequence;

  /**
   * Reads a file that the caller keeps open.
   *
   * @param sizeBytes its length
   */
  public SealedFileReader(PosixPath file, FileHeader header, long sizeBytes, Source source) {
    this.file = file;
    this.header = header;
    this.sizeBytes = sizeBytes;
    this.source = source;
    this.memory = arena.allocate(Math.clamp(sizeBytes, 1, WINDOW_BYTES), 4096);
    this.window = new RecordBytes(memory);
  }

  /**
   * Goes to the next record that is no mark; false behind the seal at the end of the file.
   *
   * @throws DamagedStoreException when the file is not as it was written
   */
  public boolean next() throws IOException {
    while (true) {
      if (bodyPending) {
        copyBody(piece -> {});
      }
      if (endBytes == sizeBytes) {
        if (!sealed) {
          throw damaged("the file ends without a seal");
        }
        return false;
      }
      readHeader();
      bodyPending = true;
      sealed = false;
      if (!record.has(RecordHeader.MARK)) {
        if (record.sequence() <= lastSequence) {
          throw damaged("a record's number is not above that of the one before");
        }
        lastSequence = record.sequence();
        return true;
      }
      lastSequence = Math.max(lastSequence, record.sequence());
      int from = load(offsetBytes, record.recordBytes());
      sealed = window.mark(from).sealed();
    }
  }

  private void readHeader() throws IOException {
    offsetBytes = endBytes;
    if (sizeBytes - offsetBytes < HEADER_BYTES
        || !window.readHeader(load(offsetBytes, HEADER_BYTES), header.salt(), offsetBytes, record)
        || record.recordBytes() > sizeBytes - offsetBytes) {
      throw damaged("no record");
    }
    endBytes = offsetBytes + record.recordBytes();
  }

  /** Of the present record; valid until the next one. */
  public RecordHeader header() {
    return record;
  }

  /** Where the present record begins. */
  public long offsetBytes() {
    return offsetBytes;
  }

  /** Number of the last record so far, also of one that is not there any more. */
  public long lastSequence() {
    return lastSequence;
  }

  /** Length of the present record. */
  public int recordBytes() {
    return record.recordBytes();
  }

  /** The key, which is right only if {@link #copyBody} or {@link #next} does not throw. */
  public byte[] key() throws IOException {
    return window.key(load(offsetBytes, record.keyOffsetBytes() + record.keyBytes()), record);
  }

  /** The tags, as of {@link dev.tailwater.store.files.TagCodec}. As right as the key. */
  public byte[] tags() throws IOException {
    int prefixBytes = record.keyOffsetBytes() + record.keyBytes();
    int most = prefixBytes + WriteOptions.MAX_TAG_BYTES;
    int from = load(offsetBytes, Math.min(most, record.recordBytes()));
    if (prefixBytes + window.tagBytes(from, record) > record.recordBytes()) {
      throw damaged("tags that are longer than their record");
    }
    return window.tags(from, record);
  }

  /** When the value ends, in milliseconds since 1970; 0: never. As right as the key. */
  public long expiresAtMillis() throws IOException {
    return window.expiresAtMillis(load(offsetBytes, record.keyOffsetBytes()), record);
  }

  /**
   * Hands over everything behind the header, and checks it. What was handed over is worth nothing
   * when this throws.
   *
   * @throws DamagedStoreException when it is not as it was written
   */
  public void copyBody(Target target) throws IOException {
    bodyPending = false;
    crc.reset();
    long at = offsetBytes + HEADER_BYTES;
    while (at < endBytes) {
      int from = load(at, 1);
      int length = (int) Math.min(windowBytes - from, endBytes - at);
      MemorySegment piece = memory.asSlice(from, length);
      crc.update(piece.asByteBuffer());
      target.take(piece);
      at += length;
    }
    if ((int) crc.getValue() != record.bodyCrc()) {
      throw damaged("a record's checksum is wrong");
    }
  }

  /** Loads this range into the window, and returns where it begins there. */
  private int load(long fromBytes, int neededBytes) throws IOException {
    if (fromBytes < windowStartBytes || fromBytes + neededBytes > windowStartBytes + windowBytes) {
      int wanted = (int) Math.min(memory.byteSize(), sizeBytes - fromBytes);
      windowStartBytes = fromBytes;
      windowBytes = 0;
      windowBytes = source.read(memory.asSlice(0, wanted), fromBytes);
      if (windowBytes < neededBytes) {
        throw damaged("the file became shorter than " + sizeBytes + " bytes");
      }
    }
    return (int) (fromBytes - windowStartBytes);
  }

  private DamagedStoreException damaged(String why) {
    return new DamagedStoreException(file, offsetBytes, why);
  }

  @Override
  public void close() {
    arena.close();
  }
}
