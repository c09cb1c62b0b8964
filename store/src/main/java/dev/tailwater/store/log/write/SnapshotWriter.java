package dev.tailwater.store.log.write;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FileKind;
import dev.tailwater.store.log.format.FrameHeader;
import dev.tailwater.store.log.format.FrameKind;
import dev.tailwater.store.log.format.FrameWriter;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A writer of one snapshot, under a temporary name until it is durable. */
public final class SnapshotWriter {
  private static final int FRAME_BYTES = FrameWriter.BUFFER_BYTES - FrameHeader.LENGTH_BYTES;

  private final FrameWriter writer;
  private final FileHeader header;
  private final int fd;
  private final List<Operation> pending = new ArrayList<>();
  private int pendingBytes;
  private long offsetBytes = FileHeader.LENGTH_BYTES;

  private SnapshotWriter(FrameWriter writer, FileHeader header, int fd) {
    this.writer = writer;
    this.header = header;
    this.fd = fd;
  }

  /**
   * Writes the snapshot; returns its length when file and name are durable. Leaves nothing on
   * failure.
   */
  public static long write(StoreDirectory directory, FileHeader header, PersistentMap map)
      throws IOException {
    FileCalls calls = directory.calls();
    LogFileName name = new LogFileName(FileKind.SNAPSHOT, header.sequence());
    try {
      long length;
      int fd = directory.create(name.temporaryPath());
      try (FrameWriter writer = new FrameWriter(calls)) {
        length = new SnapshotWriter(writer, header, fd).writeAll(map);
        calls.fsync(fd);
      } finally {
        calls.close(fd);
      }
      directory.publish(name.temporaryPath(), name.path());
      directory.sync();
      return length;
    } catch (IOException failed) {
      deleteAfter(failed, directory, name);
      throw failed;
    }
  }

  private static void deleteAfter(IOException failed, StoreDirectory directory, LogFileName name) {
    try {
      directory.delete(name.temporaryPath());
    } catch (ErrnoException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  private long writeAll(PersistentMap map) throws IOException {
    writer.writeFileHeader(fd, header);
    map.forEach(new byte[0], this::add);
    writePending();
    return writer.writeSnapshotEnd(fd, header.salt(), offsetBytes, map.size());
  }

  private void add(Operation entry) throws IOException {
    Operation put = entry.full();
    if (pendingBytes + put.encodedBytes() > FRAME_BYTES) {
      writePending();
    }
    pending.add(put);
    pendingBytes += put.encodedBytes();
  }

  private void writePending() throws IOException {
    if (!pending.isEmpty()) {
      offsetBytes =
          writer.writeFrame(fd, header.salt(), offsetBytes, FrameKind.OPERATIONS, pending);
      pending.clear();
      pendingBytes = 0;
    }
  }
}
