package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Calls that fail while the store is in use. */
class FailureTest {
  private final SimulatedFileSystem files = new SimulatedFileSystem();

  @Test
  void refusesAWriteWithoutSpaceAndTakesTheNextOneWithSpace() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "1");
      byte[] before = files.content("log-0000000000000000001");
      files.freeBytes(40);
      StoreWriteException refused =
          assertThrows(StoreWriteException.class, () -> put(store, "b", "x".repeat(1000)));
      assertEquals(Errno.ENOSPC, errnoOf(refused));
      assertTrue(refused.hint().contains("Free some space"), refused.hint());
      assertEquals(before.length, files.content("log-0000000000000000001").length);
      assertEquals(Map.of("a", "1"), Texts.contents(store));
      files.freeBytes(Long.MAX_VALUE);
      put(store, "c", "3");
    }
    files.losePower(new Random(1));
    try (KeyValueStore again = open()) {
      assertEquals(Map.of("a", "1", "c", "3"), Texts.contents(again));
    }
  }

  @Test
  void takesNoMoreWritesOnceASyncFailed() throws IOException {
    KeyValueStore store = open();
    put(store, "a", "1");
    failing("fdatasync", Errno.EIO);
    StoreFailedException first =
        assertThrows(StoreFailedException.class, () -> put(store, "b", "2"));
    files.faults(method -> Optional.empty());
    StoreFailedException later =
        assertThrows(StoreFailedException.class, () -> put(store, "c", "3"));
    assertEquals(first.getCause(), later.getCause(), "the original reason");
    assertEquals(Errno.EIO, errnoOf(later));
    assertEquals(Map.of("a", "1"), Texts.contents(store), "what was acknowledged is readable");
    assertThrows(StoreFailedException.class, store::close);
  }

  @Test
  void doesNotBuildOnAFrameWhoseSyncFailed() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      SimulatedFileSystem disk = new SimulatedFileSystem();
      KeyValueStore store = open(disk);
      put(store, "a", "1");
      disk.faults(method -> method.equals("fdatasync") ? Optional.of(Errno.EIO) : Optional.empty());
      assertThrows(StoreFailedException.class, () -> put(store, "b", "2".repeat(2000)));
      disk.faults(method -> Optional.empty());
      assertThrows(StoreFailedException.class, store::close);
      // The frame of "b" is in the page cache, clean, and not on disk: opening must write it again.
      try (KeyValueStore again = open(disk)) {
        assertEquals("2".repeat(2000), Texts.contents(again).get("b"));
        put(again, "c", "3");
      }
      disk.losePower(new Random(seed));
      try (KeyValueStore again = open(disk)) {
        assertEquals(Map.of("a", "1", "b", "2".repeat(2000), "c", "3"), Texts.contents(again));
      }
    }
  }

  @Test
  void failsWhenItCannotTakeBackAPartOfAFrame() throws IOException {
    KeyValueStore store = open();
    put(store, "a", "1");
    files.freeBytes(40);
    failing("truncate", Errno.EIO);
    assertThrows(StoreFailedException.class, () -> put(store, "b", "x".repeat(1000)));
    assertThrows(StoreFailedException.class, store::close);
  }

  @Test
  void goesOnWithALongerLogWhileSnapshotsFail() throws IOException {
    StoreOptions options =
        StoreOptions.defaults().withCompactAboveBytes(300).withCompactor(Runnable::run);
    try (KeyValueStore store =
        TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options)) {
      failing("rename", Errno.EIO);
      for (int i = 0; i < 40; i++) {
        put(store, "k", "" + i);
      }
      StoreStatistics failed = store.statistics();
      assertEquals(0, failed.compactions());
      assertTrue(failed.compactionFailures() > 1, failed.toString());
      assertTrue(failed.compactionFailures() < 20, "not tried after each write: " + failed);
      assertTrue(failed.lastCompactionFailure().orElseThrow().contains("rename"));
      files.faults(method -> Optional.empty());
      for (int i = 0; i < 40; i++) {
        put(store, "k", "" + i);
      }
      assertTrue(store.statistics().compactions() > 0);
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("k", "39"), Texts.contents(store));
    }
  }

  @Test
  void closesWithoutASealWhenThereIsNoSpaceForOne() throws IOException {
    KeyValueStore store = open();
    put(store, "a", "1");
    files.freeBytes(0);
    store.close();
    files.freeBytes(Long.MAX_VALUE);
    try (KeyValueStore again = open()) {
      assertEquals(Map.of("a", "1"), Texts.contents(again));
    }
  }

  @Test
  void saysWhatToDoWhenTheDirectoryCannotBeUsed() {
    for (Errno errno : List.of(Errno.EROFS, Errno.EACCES, Errno.ENOSPC)) {
      for (String method : List.of("makeDirectory", "open", "pwrite")) {
        SimulatedFileSystem disk = new SimulatedFileSystem();
        disk.faults(called -> called.equals(method) ? Optional.of(errno) : Optional.empty());
        StoreUnavailableException unavailable =
            assertThrows(StoreUnavailableException.class, () -> open(disk));
        assertTrue(unavailable.toString().contains("/store"), unavailable.toString());
        assertTrue(unavailable.toString().contains(errno.name()), unavailable.toString());
        assertTrue(unavailable.hint().length() > 20, unavailable.hint());
        assertInstanceOf(ErrnoException.class, unavailable.getCause());
        disk.faults(called -> Optional.empty());
        assertTrue(opensAgain(disk), "no lock and no half-made file is left behind");
      }
    }
  }

  @Test
  void everyFailingCallLeavesAStoreThatOpensWithWhatWasAcknowledged() throws IOException {
    StoreOptions options =
        StoreOptions.defaults().withCompactAboveBytes(300).withCompactor(Runnable::run);
    for (Errno errno : List.of(Errno.ENOSPC, Errno.EIO)) {
      for (int call = 1; call < 150; call++) {
        SimulatedFileSystem disk = new SimulatedFileSystem();
        long failingCall = call;
        disk.faults(
            method ->
                disk.callCount() == failingCall && !method.equals("close")
                    ? Optional.of(errno)
                    : Optional.empty());
        int acknowledged = -1;
        try (KeyValueStore store =
            TransactionLogStore.open(disk.calls(), SimulatedFileSystem.STORE, options)) {
          for (int i = 0; i < 20; i++) {
            put(store, "k", "" + i);
            acknowledged = i;
          }
        } catch (StoreException failed) {
          assertTrue(failed.toString().contains(errno.name()), failed.toString());
        }
        disk.faults(method -> Optional.empty());
        disk.losePower(new Random(call));
        try (KeyValueStore store = open(disk)) {
          String found = Texts.contents(store).getOrDefault("k", "-1");
          assertTrue(
              List.of("" + acknowledged, "" + (acknowledged + 1)).contains(found),
              errno + " at call " + call + ": " + found + " after " + acknowledged);
        }
      }
    }
  }

  private static Errno errnoOf(StoreException failed) {
    return assertInstanceOf(ErrnoException.class, failed.getCause()).errno();
  }

  private boolean opensAgain(SimulatedFileSystem disk) {
    try (KeyValueStore store = open(disk)) {
      put(store, "a", "1");
      return Texts.contents(store).equals(Map.of("a", "1"));
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private void failing(String method, Errno errno) {
    files.faults(called -> called.equals(method) ? Optional.of(errno) : Optional.empty());
  }

  private KeyValueStore open() throws IOException {
    return open(files);
  }

  private static KeyValueStore open(SimulatedFileSystem disk) throws IOException {
    return TransactionLogStore.open(
        disk.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults());
  }

  private static void put(KeyValueStore store, String key, String value) throws IOException {
    store.put(Texts.bytes(key), Texts.bytes(value));
  }
}
