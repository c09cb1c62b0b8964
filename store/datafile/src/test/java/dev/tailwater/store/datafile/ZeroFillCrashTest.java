package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.datafile.write.CommitOptions;
import dev.tailwater.store.simulated.CrashRun;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A store that fills its newest file with zeros behind the end from the first commit on. */
class ZeroFillCrashTest implements CrashRun.Mode {
  private static final String FIRST = "data-0000000001-0000000001-000000";
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withFileBytes(6 * 1024)
          .withSyncAboveBytes(Long.MAX_VALUE)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1))
          .withCommits(new CommitOptions(2048, 0));

  private final SimulatedFileSystem files = new SimulatedFileSystem();

  @Test
  void losesNothingDurableWhereverTheMachineStops() {
    CrashRun.stopEverywhere(this, Soak.rounds(1, 40));
  }

  @Test
  void losesNothingDurableOverManyStopsInARow() {
    CrashRun.stopOftenInARow(this, Soak.rounds(40, 3000), 10);
  }

  @Test
  void takesZerosForNoLossAndGivesThemBack() throws IOException {
    KeyValueStore store = open();
    store.put(Texts.bytes("a"), Texts.bytes("1"));
    store.put(Texts.bytes("b"), Texts.bytes("2"));
    files.killProcess();
    byte[] killed = files.content(FIRST);
    assertTrue(killed.length > 2000, "there are zeros: " + killed.length);
    int end = lastNonZero(killed) + 1;
    try (KeyValueStore again = open()) {
      assertEquals(0, again.statistics().cutBytes());
      assertEquals(end, files.content(FIRST).length);
      again.put(Texts.bytes("c"), Texts.bytes("3"));
    }
    byte[] closed = files.content(FIRST);
    assertTrue(closed.length < 1000, "the seal cuts them off: " + closed.length);
    assertEquals(Map.of("a", "1", "b", "2", "c", "3"), contents());
    byte[] torn = Arrays.copyOf(closed, closed.length + 3000);
    torn[closed.length + 99] = 1;
    files.replace(FIRST, torn);
    try (KeyValueStore again = open()) {
      assertEquals(100, again.statistics().cutBytes());
    }
  }

  private static int lastNonZero(byte[] bytes) {
    int last = bytes.length - 1;
    while (bytes[last] == 0) {
      last--;
    }
    return last;
  }

  @Test
  void refusesOnlyWritesForWhichThereIsNoSpace() throws IOException {
    try (KeyValueStore store = open()) {
      for (long free = 0; free < 4000; free += 300) {
        files.freeBytes(free);
        try {
          store.put(Texts.bytes("key" + free), new byte[500]);
        } catch (IOException refused) {
          assertEquals(Optional.empty(), store.get(Texts.bytes("key" + free)));
        }
      }
      files.freeBytes(Long.MAX_VALUE);
      store.put(Texts.bytes("a"), Texts.bytes("1"));
    }
    assertEquals("1", contents().get("a"));
  }

  @Test
  void goesOnWhenThereIsNoSpaceForTheZeros() throws IOException {
    try (KeyValueStore store = open()) {
      // The first write is the record, the second are the zeros.
      long first = files.callsOf("pwrite");
      files.faults(
          call ->
              call.equals("pwrite") && files.callsOf("pwrite") == first + 2
                  ? Optional.of(Errno.ENOSPC)
                  : Optional.empty());
      for (int i = 0; i < 10; i++) {
        store.put(Texts.bytes("key" + i), Texts.bytes("value"));
      }
      assertEquals(first + 11, files.callsOf("pwrite"), "no more zeros");
    }
    assertEquals(10, contents().size());
  }

  @Test
  void losesNothingWhenThePowerFailsInAFileFullOfZeros() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      SimulatedFileSystem disk = new SimulatedFileSystem();
      KeyValueStore store = DataFileStore.open(disk.calls(), SimulatedFileSystem.STORE, OPTIONS);
      for (int i = 0; i <= seed % 7; i++) {
        store.put(Texts.bytes("key" + i), Texts.bytes("value"));
      }
      disk.losePower(new Random(seed));
      try (KeyValueStore again =
          DataFileStore.open(disk.calls(), SimulatedFileSystem.STORE, OPTIONS)) {
        assertEquals(seed % 7 + 1, Texts.contents(again).size(), "seed " + seed);
        assertEquals(0, again.statistics().cutBytes(), "seed " + seed);
      }
    }
  }

  private KeyValueStore open() throws IOException {
    return DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, OPTIONS);
  }

  private Map<String, String> contents() throws IOException {
    try (KeyValueStore store = open()) {
      return Texts.contents(store);
    }
  }

  @Override
  public KeyValueStore open(FileCalls calls, RandomGenerator salts, InstantSource clock)
      throws IOException {
    return DataFileStore.open(
        calls, SimulatedFileSystem.STORE, OPTIONS.withRandom(salts).withClock(clock));
  }

  @Override
  public List<Durability> durabilities() {
    return List.of(Durability.GROUP, Durability.GROUP, Durability.NONE);
  }

  @Override
  public int writes() {
    return 25;
  }
}
