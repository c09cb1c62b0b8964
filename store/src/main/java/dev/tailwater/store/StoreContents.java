package dev.tailwater.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the files of a store into memory. Changes nothing. */
final class StoreContents {
  private final StoreDirectory directory;
  private final FilePlan plan;
  private PersistentMap map = PersistentMap.EMPTY;
  private long snapshotBytes;
  private long earlierLogBytes;
  private @Nullable FileHeader newest;
  private @Nullable LogEnd logEnd;

  private StoreContents(StoreDirectory directory, FilePlan plan) {
    this.directory = directory;
    this.plan = plan;
  }

  /**
   * Where the newest log stops.
   *
   * @param sizeBytes length of the file, with a torn tail
   */
  record LogEnd(StoreFileName name, FileHeader header, FrameReader.Extent extent, long sizeBytes) {
    long tornBytes() {
      return sizeBytes - extent.endBytes();
    }
  }

  static StoreContents read(StoreDirectory directory, FilePlan plan) throws IOException {
    StoreContents contents = new StoreContents(directory, plan);
    if (plan.snapshot().isPresent()) {
      contents.readSnapshot(plan.snapshot().get());
    }
    for (StoreFileName log : plan.logs()) {
      contents.readLog(log, log.equals(plan.logs().getLast()));
    }
    return contents;
  }

  PersistentMap map() {
    return map;
  }

  FilePlan plan() {
    return plan;
  }

  long snapshotBytes() {
    return snapshotBytes;
  }

  /** Length of all logs but the newest. */
  long earlierLogBytes() {
    return earlierLogBytes;
  }

  /** Empty when the store has no file yet. */
  Optional<LogEnd> logEnd() {
    return Optional.ofNullable(logEnd);
  }

  private void readSnapshot(StoreFileName name) throws IOException {
    int fd = directory.openToRead(name.path());
    try (StoreFileReader reader =
        new StoreFileReader(directory.calls(), fd, directory.pathOf(name))) {
      FrameReader frames = FrameReader.open(reader, name);
      List<Operation> puts = new ArrayList<>();
      SnapshotCheck check = new SnapshotCheck(frames, reader.sizeBytes());
      FrameReader.Extent extent =
          frames.readAll(
              (header, payload, offset) ->
                  check.frame(header, offset, decode(frames, header, payload, offset), puts));
      check.end(extent);
      map = PersistentMap.ofSorted(puts);
      newest = frames.header();
      snapshotBytes = reader.sizeBytes();
    } finally {
      directory.calls().close(fd);
    }
  }

  private void readLog(StoreFileName name, boolean isLast) throws IOException {
    int fd = directory.openToRead(name.path());
    try (StoreFileReader reader =
        new StoreFileReader(directory.calls(), fd, directory.pathOf(name))) {
      FrameReader frames = FrameReader.open(reader, name);
      checkSameStore(frames);
      FrameReader.Extent extent =
          frames.readAll(
              (header, payload, offset) -> {
                LogCheck.frame(frames, header, offset);
                map = map.after(decode(frames, header, payload, offset));
              });
      if (isLast) {
        logEnd = new LogEnd(name, frames.header(), extent, reader.sizeBytes());
      } else {
        LogCheck.earlierLogEnd(frames, extent);
        earlierLogBytes += reader.sizeBytes();
      }
    } finally {
      directory.calls().close(fd);
    }
  }

  private void checkSameStore(FrameReader frames) throws DamagedStoreException {
    if (newest != null && newest.storeId() != frames.header().storeId()) {
      throw frames.damaged(0, "the file belongs to another store");
    }
    newest = frames.header();
  }

  static List<Operation> decode(FrameReader frames, FrameHeader header, byte[] payload, long offset)
      throws DamagedStoreException {
    if (header.kind() != FrameKind.OPERATIONS) {
      if (payload.length != 0) {
        throw frames.damaged(offset, "a frame of kind " + header.kind() + " has a payload");
      }
      return List.of();
    }
    try {
      if (header.operations() != (int) header.operations()) {
        throw frames.damaged(offset, header.operations() + " operations in one frame");
      }
      return OperationCodec.decode(payload, (int) header.operations());
    } catch (OperationCodec.MalformedPayloadException malformed) {
      throw frames.damaged(offset, malformed.getMessage() + ", though the checksum is right");
    }
  }

  /** What a log must be beyond whole frames. */
  static final class LogCheck {
    private LogCheck() {}

    static void frame(FrameReader frames, FrameHeader header, long offset)
        throws DamagedStoreException {
      if (header.kind() == FrameKind.SNAPSHOT_END) {
        throw frames.damaged(offset, "the end of a snapshot in a log");
      }
    }

    /** A log is sealed before the next one is made. */
    static void earlierLogEnd(FrameReader frames, FrameReader.Extent extent)
        throws DamagedStoreException {
      if (!extent.isSealed()) {
        throw frames.damaged(
            extent.endBytes(),
            extent.torn().orElse("the file ends without a seal")
                + ", and this is not the last log");
      }
    }
  }

  /** What a snapshot must be beyond whole frames: ascending puts, and an end that counts them. */
  static final class SnapshotCheck {
    private final FrameReader frames;
    private final long sizeBytes;
    private long entries;
    private byte @Nullable [] lastKey;

    SnapshotCheck(FrameReader frames, long sizeBytes) {
      this.frames = frames;
      this.sizeBytes = sizeBytes;
    }

    void frame(FrameHeader header, long offset, List<Operation> operations, List<Operation> puts)
        throws DamagedStoreException {
      for (Operation operation : operations) {
        if (operation.kind() != Operation.PUT
            || (lastKey != null && Arrays.compareUnsigned(lastKey, operation.key()) >= 0)) {
          throw frames.damaged(offset, "a snapshot's entries are not puts in ascending order");
        }
        lastKey = operation.key();
        puts.add(operation);
        entries++;
      }
      boolean isEnd = header.kind() == FrameKind.SNAPSHOT_END;
      if (header.kind() == FrameKind.SEAL || (isEnd && header.operations() != entries)) {
        throw frames.damaged(offset, "a snapshot's end does not fit its " + entries + " entries");
      }
    }

    void end(FrameReader.Extent extent) throws DamagedStoreException {
      boolean ended =
          extent.lastFrame().map(FrameHeader::kind).equals(Optional.of(FrameKind.SNAPSHOT_END));
      if (extent.torn().isPresent() || !ended || extent.endBytes() != sizeBytes) {
        throw frames.damaged(
            extent.endBytes(), extent.torn().orElse("the snapshot has no end frame"));
      }
    }
  }
}
