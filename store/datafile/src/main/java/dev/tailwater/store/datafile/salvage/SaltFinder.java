package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.files.SaltSolver;
import dev.tailwater.store.files.Transfers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * Recovers the salt of a file whose header is gone, from the first record right after the header.
 * The record's body has a checksum of its own, which shows whether there is a record at all.
 */
final class SaltFinder {
  private static final int PLACE_BYTES = 2 * Long.BYTES;
  private static final int CHECKED_BYTES = PLACE_BYTES + RecordHeader.LENGTH_BYTES - Integer.BYTES;

  private SaltFinder() {}

  /** Returns a salt; empty when the file does not begin with a whole record. */
  static OptionalLong find(FileCalls calls, int fd) throws ErrnoException {
    long offset = FileHeader.LENGTH_BYTES;
    long sizeBytes = calls.fstat(fd).sizeBytes();
    if (sizeBytes - offset < RecordHeader.LENGTH_BYTES) {
      return OptionalLong.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment head = arena.allocate(RecordHeader.LENGTH_BYTES);
      Transfers.readFully(calls, fd, head, offset);
      long salt = saltOf(head.toArray(ValueLayout.JAVA_BYTE), offset);
      RecordHeader header = new RecordHeader();
      if (!new RecordBytes(head).readHeader(0, salt, offset, header)
          || header.recordBytes() > sizeBytes - offset) {
        return OptionalLong.empty();
      }
      MemorySegment whole = arena.allocate(header.recordBytes());
      Transfers.readFully(calls, fd, whole, offset);
      RecordBytes record = new RecordBytes(whole);
      return record.readHeader(0, salt, offset, header) && record.bodyIsWhole(0, header)
          ? OptionalLong.of(salt)
          : OptionalLong.empty();
    }
  }

  private static long saltOf(byte[] head, long offset) {
    byte[] checked =
        ByteBuffer.allocate(CHECKED_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(0)
            .putLong(offset)
            .put(head, Integer.BYTES, head.length - Integer.BYTES)
            .array();
    int checksum = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    return SaltSolver.solve(checked, checksum);
  }
}
