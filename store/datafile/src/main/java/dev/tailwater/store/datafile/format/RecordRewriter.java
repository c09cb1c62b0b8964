package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.files.Transfers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A writer of records of other data files into a file that has no final name yet. Keeps their
 * numbers and bodies, and binds them to the new file. Owns no descriptor. Used by one thread.
 */
public final class RecordRewriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1024 * 1024;

  private final FileCalls calls;
  private final int fd;
  private final FileHeader header;
  private final RecordEncoder encoder = new RecordEncoder();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 4096);
  private int filledBytes;
  private long writtenBytes;

  /** Into this empty file; its header is the first thing to be written. */
  public RecordRewriter(FileCalls calls, int fd, FileHeader header) throws ErrnoException {
    this.calls = calls;
    this.fd = fd;
    this.header = header;
    append(header.toBytes(), FileHeader.LENGTH_BYTES);
  }

  /** Where the next record will begin. */
  public long endBytes() {
    return writtenBytes + filledBytes;
  }

  /** The present record as it is, but no longer part of a batch: by now all of it is durable. */
  public void copy(SealedFileReader from) throws IOException {
    RecordHeader record = from.header();
    int flags = record.flags() & ~RecordHeader.MORE;
    encoder.encodeAgain(record, flags, header.salt(), endBytes());
    append(encoder.head(), encoder.headBytes());
    from.copyBody(this::append);
  }

  /** Instead of the present record one with its number that removes its key. */
  public void remove(SealedFileReader from) throws IOException {
    RecordHeader record = from.header();
    byte[] key = from.key();
    int flags = record.flags() & RecordHeader.COLLIDES;
    encoder.encode(RecordData.remove(key), flags, record.sequence(), header.salt(), endBytes());
    append(encoder.head(), encoder.headBytes());
    append(key, key.length);
  }

  private void append(byte[] bytes, int lengthBytes) throws ErrnoException {
    int done = 0;
    while (done < lengthBytes) {
      int length = room(lengthBytes - done);
      MemorySegment.copy(bytes, done, buffer, ValueLayout.JAVA_BYTE, filledBytes, length);
      filledBytes += length;
      done += length;
    }
  }

  private void append(MemorySegment bytes) throws ErrnoException {
    long done = 0;
    while (done < bytes.byteSize()) {
      int length = room(bytes.byteSize() - done);
      MemorySegment.copy(bytes, done, buffer, filledBytes, length);
      filledBytes += length;
      done += length;
    }
  }

  private int room(long wantedBytes) throws ErrnoException {
    if (filledBytes == BUFFER_BYTES) {
      write();
    }
    return (int) Math.min(BUFFER_BYTES - filledBytes, wantedBytes);
  }

  private void write() throws ErrnoException {
    Transfers.writeAll(calls, fd, buffer.asSlice(0, filledBytes), writtenBytes);
    writtenBytes += filledBytes;
    filledBytes = 0;
  }

  /**
   * Seals the file, and makes it durable.
   *
   * @param lastSequence of all records in the places that it takes, also of those that it has not
   */
  public void finish(long lastSequence) throws ErrnoException {
    // The mark speaks of a time when nobody knows the file yet: then all of it will be durable.
    byte[] seal = encoder.mark(new Mark(endBytes(), true), lastSequence, header.salt(), endBytes());
    append(seal, seal.length);
    write();
    calls.fsync(fd);
  }

  @Override
  public void close() {
    arena.close();
  }
}
