package dev.tailwater.store.datafile.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.file.Background;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.HintLog;
import dev.tailwater.store.datafile.file.HintMaker;
import dev.tailwater.store.datafile.file.LogEnd;
import dev.tailwater.store.datafile.file.ZeroFill;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.SipHash;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A seal is the last thing in its file, and is as durable as what it speaks of. */
class SealTest {
  private static final DataFileName FIRST = new DataFileName(1, 1, 0);
  private static final WriteOptions GROUP =
      WriteOptions.defaults().withDurability(Durability.GROUP);
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1))
          .withCommits(new CommitOptions(0, 0));

  private final SimulatedFileSystem files = new SimulatedFileSystem();

  /** Somebody was told to fill with zeros, and does so when the file has been sealed meanwhile. */
  @Test
  void nobodyFillsAFileWithZerosBehindItsSeal() throws IOException {
    Random random = new Random(1);
    try (StoreDirectory directory =
            StoreDirectory.openOrCreate(files.calls(), SimulatedFileSystem.STORE);
        DataFiles dataFiles = new DataFiles(100)) {
      DataFileCreator creator = new DataFileCreator(directory, new StoreIdentity(1, 2, 3), random);
      DataFile first = creator.create(FIRST).publish(dataFiles);
      ZeroFill zeroFill = new ZeroFill(2048, 0);
      AtomicInteger sealed = new AtomicInteger();
      try (RecordLog log =
          new RecordLog(
              dataFiles,
              creator,
              1024 * 1024,
              zeroFill,
              hints(directory, random, sealed::incrementAndGet),
              0,
              false)) {
        log.reserve(1000);
        log.append(
            RecordData.put(Texts.bytes("a"), Texts.bytes("1"), OptionalLong.empty(), Set.of()),
            0,
            1);
        LogEnd end = log.end(true);
        assertTrue(end.zeroEndBytes() > end.endBytes(), "zeros are wanted");
        files.faults(call -> call.equals("rename") ? lateWrite(log, end) : Optional.empty());
        log.rollOver();
        assertEquals(1, sealed.get());
        assertEquals(
            first.writtenBytes(), files.content(FIRST.path().toString()).length, "its length");
      }
    }
  }

  private static HintLog hints(StoreDirectory directory, Random random, Runnable full) {
    KeyHash hash = new SipHash(2, 3);
    Background background = new Background(Runnable::run);
    HintMaker maker = new HintMaker(directory, hash, random, background);
    return new HintLog(directory, random, 4096, maker, background, full);
  }

  private static Optional<Errno> lateWrite(RecordLog log, LogEnd end) {
    try {
      log.write(end);
      return Optional.empty();
    } catch (ErrnoException failed) {
      throw new AssertionError(failed);
    }
  }

  /** The seal lies in two sectors, of which the next write makes only the second one dirty. */
  @Test
  void whatIsWrittenBehindASealWhoseSyncFailedIsNotLost() throws IOException {
    KeyValueStore store = open();
    store.put(Texts.bytes("a"), new byte[379], GROUP);
    files.faults(call -> call.equals("fsync") ? Optional.of(Errno.EIO) : Optional.empty());
    assertThrows(StoreFailedException.class, store::close);
    files.faults(call -> Optional.empty());
    files.killProcess();
    KeyValueStore again = open();
    assertEquals(0, again.statistics().cutBytes());
    again.put(Texts.bytes("b"), Texts.bytes("2"), GROUP);
    files.losePower(new Random(1));
    try (KeyValueStore last = open()) {
      assertEquals(Map.of("a", new String(new char[379]), "b", "2"), Texts.contents(last));
    }
  }

  @Test
  void leavesNothingOfTheNextFileWhenTheFullOneCannotBeSealed() throws IOException {
    KeyValueStore store =
        DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, OPTIONS.withFileBytes(4096));
    store.put(Texts.bytes("a"), new byte[4000], GROUP);
    files.faults(call -> call.equals("fdatasync") ? Optional.of(Errno.EIO) : Optional.empty());
    assertThrows(
        StoreFailedException.class, () -> store.put(Texts.bytes("b"), new byte[4000], GROUP));
    files.faults(call -> Optional.empty());
    assertThrows(StoreFailedException.class, store::close);
    assertEquals(0, files.openFiles());
    assertEquals(List.of("LOCK", FIRST.path().toString()), files.names());
  }

  private KeyValueStore open() throws IOException {
    return DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, OPTIONS);
  }
}
