package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedLogTest {
  /** Goes over to new logs, and never replaces the old ones. */
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .withCompactAboveBytes(Long.MAX_VALUE)
          .withCompactor(
              task -> {
                throw new RejectedExecutionException();
              });

  @TempDir Path temporary;

  @Test
  void leavesAWholeStoreAlone() throws IOException {
    PosixPath directory = damaged("store");
    assertTrue(setAside(directory).isPresent());
    try (TransactionLogStore store = open(directory)) {
      store.put(Texts.bytes("b"), Texts.bytes("2"));
    }
    assertEquals(Optional.empty(), setAside(directory));
    try (TransactionLogStore store = open(directory)) {
      assertEquals(Map.of("b", "2"), Texts.contents(store));
      assertTrue(store.wasClosed());
    }
  }

  @Test
  void neverLeavesAnEarlierStateWhereverTheProcessDies() throws IOException {
    FaultyFileCalls whole = FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.none());
    assertTrue(
        DamagedLog.setAside(whole.calls(), damaged("whole"), "aside-", Instant.EPOCH, Set.of())
            .isPresent());
    for (long call = 1; call <= whole.callCount(); call++) {
      PosixPath directory = damaged("store" + call);
      FaultyFileCalls dying =
          FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.crashAt(call));
      try {
        var _ = DamagedLog.setAside(dying.calls(), directory, "aside-", Instant.EPOCH, Set.of());
      } catch (CrashError | StoreException died) {
        assertTrue(dying.crashed());
      }
      dying.kill();
      try {
        open(directory).close();
        assertEquals(List.of("log-0000000000000000001"), names("store" + call));
      } catch (DamagedStoreException stillDamaged) {
        assertTrue(setAside(directory).isPresent(), "call " + call);
      }
      try (TransactionLogStore store = open(directory)) {
        assertEquals(Map.of(), Texts.contents(store), "call " + call);
      }
    }
  }

  @Test
  void saysThatTheEndOfTheLogMayBeMissing() throws IOException {
    PosixPath directory = damaged("store");
    assertTrue(setAside(directory).isPresent());
    try (TransactionLogStore store = open(directory)) {
      store.put(Texts.bytes("a"), Texts.bytes("1"));
      store.put(Texts.bytes("a"), Texts.bytes("2"));
    }
    byte[] bytes = Files.readAllBytes(newest("store"));
    Files.write(newest("store"), Arrays.copyOf(bytes, bytes.length - 1));
    try (TransactionLogStore store = open(directory)) {
      assertEquals(Map.of("a", "2"), Texts.contents(store));
      assertFalse(store.wasClosed());
    }
  }

  /** A store of several logs, the newest of them damaged; without it, the others are in order. */
  private PosixPath damaged(String name) throws IOException {
    PosixPath directory = PosixPath.of(temporary.resolve(name));
    for (int i = 0; i < 3; i++) {
      try (TransactionLogStore store = open(directory)) {
        store.put(Texts.bytes("a"), Texts.bytes("" + i));
        assertFalse(store.compact(), "it has gone over to another log only");
      }
    }
    Files.write(newest(name), new byte[7]);
    assertThrows(DamagedStoreException.class, () -> open(directory));
    return directory;
  }

  private static Optional<DamagedLog.Aside> setAside(PosixPath directory) throws IOException {
    return DamagedLog.setAside(
        LinuxFileCalls.create(), directory, "aside-", Instant.EPOCH, Set.of());
  }

  private static TransactionLogStore open(PosixPath directory) throws IOException {
    return TransactionLogStore.open(LinuxFileCalls.create(), directory, OPTIONS);
  }

  private Path newest(String name) throws IOException {
    return temporary.resolve(name).resolve(names(name).getLast());
  }

  private List<String> names(String name) throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve(name))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.startsWith("log-"))
          .sorted()
          .toList();
    }
  }
}
