package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.Mark;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordEncoder;
import dev.tailwater.store.files.Transfers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A writer of a data file, from its header to its seal. Does not sync. Used by one thread. */
final class SalvageWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1024 * 1024;

  private final FileCalls calls;
  private final int fd;
  private final FileHeader header;
  private final RecordEncoder encoder = new RecordEncoder();
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES);
  private int filled;
  private long writtenBytes;
  private long lastSequence;

  SalvageWriter(FileCalls calls, int fd, FileHeader header, long lastSequence)
      throws ErrnoException {
    this.calls = calls;
    this.fd = fd;
    this.header = header;
    this.lastSequence = lastSequence;
    add(header.toBytes(), FileHeader.LENGTH_BYTES);
  }

  /** The number of the last record, or of those before the file. */
  long lastSequence() {
    return lastSequence;
  }

  /** Adds a record with these flags besides those that its data needs. */
  void add(RecordData data, int flags, long sequence) throws ErrnoException {
    encoder.encode(data, flags, sequence, header.salt(), writtenBytes + filled);
    add(encoder.head(), encoder.headBytes());
    add(data.key(), data.key().length);
    add(data.tags(), data.tags().length);
    add(data.value(), data.value().length);
    lastSequence = sequence;
  }

  /** Ends the file. */
  void seal() throws ErrnoException {
    long offset = writtenBytes + filled;
    byte[] mark = encoder.mark(new Mark(offset, true), lastSequence, header.salt(), offset);
    add(mark, mark.length);
    flush();
  }

  private void add(byte[] bytes, int length) throws ErrnoException {
    int done = 0;
    while (done < length) {
      if (filled == BUFFER_BYTES) {
        flush();
      }
      int part = Math.min(BUFFER_BYTES - filled, length - done);
      MemorySegment.copy(bytes, done, buffer, ValueLayout.JAVA_BYTE, filled, part);
      filled += part;
      done += part;
    }
  }

  private void flush() throws ErrnoException {
    Transfers.writeAll(calls, fd, buffer.asSlice(0, filled), writtenBytes);
    writtenBytes += filled;
    filled = 0;
  }

  @Override
  public void close() {
    arena.close();
  }
}
