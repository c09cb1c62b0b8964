package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Writes to a log for which nobody waits. */
class UnwaitedWritesTest {
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);
  private static final Duration NEVER = Duration.ofDays(1);

  private final SimulatedFileSystem files = new SimulatedFileSystem();

  @Test
  void areSeenAtOnceAndWrittenWithTheNextThatWaits() throws IOException {
    try (TransactionLogStore store = open(NEVER)) {
      long before = files.callsOf("fdatasync");
      long last = 0;
      for (int i = 0; i < 1000; i++) {
        long version = store.put(Texts.bytes("a"), Texts.bytes("" + i), NONE);
        assertTrue(version > last, "versions ascend");
        last = version;
        assertEquals(version, store.find(Texts.bytes("a")).orElseThrow().version());
      }
      assertEquals(before, files.callsOf("fdatasync"), "nothing waits for the disk");
      assertEquals(1000, store.increment(Texts.bytes("a"), 1, WriteOptions.defaults()));
      assertEquals(before + 1, files.callsOf("fdatasync"));
      assertEquals(1001, store.statistics().writes());
    }
    try (TransactionLogStore store = open(NEVER)) {
      assertEquals(Map.of("a", "1000"), Texts.contents(store));
      assertTrue(store.find(Texts.bytes("a")).orElseThrow().version() > 1000);
    }
  }

  @Test
  void areWrittenWhenTheirTimeHasComeAndBeforeTheStoreIsClosed() throws IOException {
    try (TransactionLogStore store = open(Duration.ofMillis(1))) {
      store.put(Texts.bytes("a"), Texts.bytes("1"), NONE);
      Eventually.until(
          () -> store.statistics().commits() == 1, () -> store.statistics().toString());
    }
    try (TransactionLogStore store = open(NEVER)) {
      assertEquals(Map.of("a", "1"), Texts.contents(store));
      store.put(Texts.bytes("b"), Texts.bytes("2"), NONE);
      store.remove(Texts.bytes("a"), NONE);
    }
    try (TransactionLogStore store = open(NEVER)) {
      assertEquals(Map.of("b", "2"), Texts.contents(store));
    }
  }

  @Test
  void areWrittenBeforeTheyTakeMuchMemory() throws IOException {
    try (TransactionLogStore store = open(NEVER)) {
      for (int i = 0; i < 40; i++) {
        store.put(Texts.bytes("k" + i), new byte[512 * 1024], NONE);
      }
      assertTrue(store.statistics().commits() >= 4, store.statistics().toString());
    }
  }

  @Test
  void areKeptAndTriedAgainWhileThereIsNoSpace() throws IOException {
    try (TransactionLogStore store = open(NEVER)) {
      store.put(Texts.bytes("a"), Texts.bytes("1"), NONE);
      files.freeBytes(0);
      WriteOptions group = WriteOptions.defaults();
      assertThrows(
          StoreWriteException.class, () -> store.put(Texts.bytes("b"), Texts.bytes("2"), group));
      assertEquals(Map.of("a", "1"), Texts.contents(store));
      store.put(Texts.bytes("c"), Texts.bytes("3"), NONE);
      files.freeBytes(1 << 20);
      store.put(Texts.bytes("b"), Texts.bytes("4"), group);
    }
    try (TransactionLogStore store = open(NEVER)) {
      assertEquals(Map.of("a", "1", "b", "4", "c", "3"), Texts.contents(store));
    }
  }

  @Test
  void makeTheClosingFailWhenTheyCannotBeWritten() throws IOException {
    TransactionLogStore store = open(NEVER);
    store.put(Texts.bytes("a"), Texts.bytes("1"), NONE);
    files.faults(call -> call.equals("pwrite") ? Optional.of(Errno.EIO) : Optional.empty());
    assertThrows(StoreFailedException.class, store::close);
    files.faults(call -> Optional.empty());
    try (TransactionLogStore again = open(NEVER)) {
      assertEquals(Map.of(), Texts.contents(again));
    }
  }

  private TransactionLogStore open(Duration writeWithin) throws IOException {
    return TransactionLogStore.open(
        files.calls(),
        SimulatedFileSystem.STORE,
        StoreOptions.defaults().withWriteWithin(writeWithin));
  }
}
