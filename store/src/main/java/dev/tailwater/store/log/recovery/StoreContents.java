package dev.tailwater.store.log.recovery;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.StoreFileReader;
import dev.tailwater.store.log.format.EntryVersion;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FramePayload;
import dev.tailwater.store.log.format.FrameReader;
import dev.tailwater.store.log.format.LogCheck;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.format.SnapshotCheck;
import dev.tailwater.store.log.map.PersistentMap;
import dev.tailwater.store.log.map.Replay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The contents of a store, read from its files into memory. */
public final class StoreContents {
  private final StoreDirectory directory;
  private final FilePlan plan;
  private final Replay replay = new Replay();
  private PersistentMap map = PersistentMap.EMPTY;
  private final List<ReadFile> files = new ArrayList<>();
  private long snapshotBytes;
  private long earlierLogBytes;
  private long operations;
  private @Nullable FileHeader newest;
  private @Nullable LogEnd logEnd;

  /**
   * A file that was read.
   *
   * @param operations puts and removals in it
   */
  public record ReadFile(String name, long sizeBytes, long operations) {}

  private StoreContents(StoreDirectory directory, FilePlan plan) {
    this.directory = directory;
    this.plan = plan;
  }

  /**
   * The end of the newest log.
   *
   * @param sizeBytes length of the file, with a torn tail
   * @param operations number of all operations in it
   */
  public record LogEnd(
      LogFileName name,
      FileHeader header,
      FrameReader.Extent extent,
      long sizeBytes,
      long operations) {
    public long tornBytes() {
      return sizeBytes - extent.endBytes();
    }
  }

  public static StoreContents read(StoreDirectory directory, FilePlan plan) throws IOException {
    StoreContents contents = new StoreContents(directory, plan);
    if (plan.snapshot().isPresent()) {
      contents.readSnapshot(plan.snapshot().get());
    }
    for (LogFileName log : plan.logs()) {
      contents.readLog(log, log.equals(plan.logs().getLast()));
    }
    contents.map = contents.replay.map();
    return contents;
  }

  public PersistentMap map() {
    return map;
  }

  public FilePlan plan() {
    return plan;
  }

  public long snapshotBytes() {
    return snapshotBytes;
  }

  /** Returns the length of all logs but the newest. */
  public long earlierLogBytes() {
    return earlierLogBytes;
  }

  /** Returns every file that was read, in order. */
  public List<ReadFile> files() {
    return files;
  }

  /** Returns the end of the newest log; empty when the store has no file yet. */
  public Optional<LogEnd> logEnd() {
    return Optional.ofNullable(logEnd);
  }

  private void readSnapshot(LogFileName name) throws IOException {
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

  private void readLog(LogFileName name, boolean isLast) throws IOException {
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

  private void sawFile(LogFileName name, long sizeBytes, long count) {
    files.add(new ReadFile(name.path().toString(), sizeBytes, count));
  }

  private void checkSameStore(FrameReader frames) throws DamagedStoreException {
    if (newest != null && newest.storeId() != frames.header().storeId()) {
      throw frames.damaged(0, "the file belongs to another store");
    }
    newest = frames.header();
  }
}
