package dev.tailwater.store.log;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.StoreFileReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the files of a store into memory. Changes nothing. */
final class StoreContents {
  private final StoreDirectory directory;
  private final FilePlan plan;
  private final Replay replay = new Replay();
  private PersistentMap map = PersistentMap.EMPTY;
  private final List<StoreSummary.FileSummary> files = new ArrayList<>();
  private long snapshotBytes;
  private long earlierLogBytes;
  private long operations;
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
   * @param operations number of all operations in it
   */
  record LogEnd(
      StoreFileName name,
      FileHeader header,
      FrameReader.Extent extent,
      long sizeBytes,
      long operations) {
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
    contents.map = contents.replay.map();
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

  /** Every file that was read, in order. */
  List<StoreSummary.FileSummary> files() {
    return files;
  }

  /** Empty when the store has no file yet. */
  Optional<LogEnd> logEnd() {
    return Optional.ofNullable(logEnd);
  }

  private void readSnapshot(StoreFileName name) throws IOException {
    int fd = directory.openToRead(name.path());
    try (StoreFileReader reader =
        new StoreFileReader(directory.calls(), fd, directory.pathOf(name.path()))) {
      FrameReader frames = FrameReader.open(reader, name);
      List<Operation> puts = new ArrayList<>();
      SnapshotCheck check = new SnapshotCheck(frames, reader.sizeBytes());
      FrameReader.Extent extent =
          frames.readAll(
              (header, payload, offset) -> {
                List<Operation> operations = FramePayload.decode(frames, header, payload, offset);
                check.frame(header, offset, operations);
                for (Operation put : operations) {
                  puts.add(
                      frames.header().version() == FileHeader.OLD_VERSION
                          ? put.withVersion(EntryVersion.of(name.sequence(), puts.size()))
                          : put);
                }
              });
      check.end(extent);
      replay.beginWith(puts);
      newest = frames.header();
      snapshotBytes = reader.sizeBytes();
      sawFile(name, reader.sizeBytes(), puts.size());
    } finally {
      directory.calls().close(fd);
    }
  }

  private void readLog(StoreFileName name, boolean isLast) throws IOException {
    operations = 0;
    int fd = directory.openToRead(name.path());
    try (StoreFileReader reader =
        new StoreFileReader(directory.calls(), fd, directory.pathOf(name.path()))) {
      FrameReader frames = FrameReader.open(reader, name);
      checkSameStore(frames);
      LogCheck check = new LogCheck(frames);
      FrameReader.Extent extent =
          frames.readAll(
              (header, payload, offset) -> {
                check.frame(header, offset);
                for (Operation operation : FramePayload.decode(frames, header, payload, offset)) {
                  long version = EntryVersion.of(name.sequence(), operations++);
                  replay.add(operation.withVersion(version));
                }
              });
      sawFile(name, reader.sizeBytes(), operations);
      if (isLast) {
        logEnd = new LogEnd(name, frames.header(), extent, reader.sizeBytes(), operations);
      } else {
        check.endOfEarlierLog(extent);
        earlierLogBytes += reader.sizeBytes();
      }
    } finally {
      directory.calls().close(fd);
    }
  }

  private void sawFile(StoreFileName name, long sizeBytes, long count) {
    files.add(new StoreSummary.FileSummary(name.path().toString(), sizeBytes, count));
  }

  private void checkSameStore(FrameReader frames) throws DamagedStoreException {
    if (newest != null && newest.storeId() != frames.header().storeId()) {
      throw frames.damaged(0, "the file belongs to another store");
    }
    newest = frames.header();
  }
}
