package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.GoldenFiles;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Files of the data-file mode, as hexadecimal text with remarks. A program that cannot read them,
 * or writes others, has changed the format.
 */
class DataFileGoldenTest {
  private static final String GOLDEN = "golden-v2-data-files";

  /** Hint and index of the same data files, since they say what has which tag and expiry. */
  private static final String WITH_TAGS = "golden-v2-data-files-tags";

  /** The hint with the records in their order. */
  private static final String IN_ORDER = "golden-v2-data-files-in-order";

  private static final String FIRST = "data-0000000001-0000000001-000000";
  private static final String HINT = "hint-0000000001-0000000001-000000";
  private static final String SECOND = "data-0000000002-0000000002-000000";
  private static final String INDEX = "index";
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);

  @Test
  void readsTheGoldenFiles() throws IOException {
    for (String derived : List.of(GOLDEN, WITH_TAGS)) {
      for (List<String> names :
          List.of(List.<String>of(), List.of(HINT), List.of(INDEX), List.of(HINT, INDEX))) {
        SimulatedFileSystem files = new SimulatedFileSystem();
        for (String name : List.of(FIRST, SECOND)) {
          files.replace(name, GoldenFiles.read(GOLDEN, name));
        }
        names.forEach(name -> files.replace(name, GoldenFiles.read(derived, name)));
        checkContents(files);
      }
    }
    SimulatedFileSystem files = new SimulatedFileSystem();
    for (String name : List.of(FIRST, SECOND)) {
      files.replace(name, GoldenFiles.read(GOLDEN, name));
    }
    files.replace(HINT, GoldenFiles.read(IN_ORDER, HINT));
    checkContents(files);
  }

  private static void checkContents(SimulatedFileSystem files) throws IOException {
    try (DataFileStore store = open(files)) {
      assertEquals(
          Map.of("stream/a", "4096", "tagged", "value", "long", "x".repeat(4000)),
          Texts.contents(store));
      Entry tagged = store.find(Texts.bytes("tagged")).orElseThrow();
      assertEquals(Set.of("x", "yz"), tagged.tags());
      assertEquals(OptionalLong.of(1_001_000), tagged.expiresAtMillis());
      assertEquals(5, tagged.version());
      List<String> found = new ArrayList<>();
      for (String tag : List.of("x", "yz", "y")) {
        store.forEachWithTag(tag, entry -> found.add(tag + " " + Texts.text(entry.key())));
      }
      assertEquals(List.of("x tagged", "yz tagged"), found);
    }
    assertArrayEquals(
        GoldenFiles.read(GOLDEN, SECOND), files.content(SECOND), "opening adds nothing");
  }

  @Test
  void writesTheGoldenFiles() throws IOException {
    SimulatedFileSystem files = new SimulatedFileSystem();
    try (DataFileStore store = open(files)) {
      store.put(Texts.bytes("stream/a"), Texts.bytes("1024"));
      store.put(Texts.bytes("stream/b"), Texts.bytes("2048"), NONE);
      store.apply(
          new WriteBatch()
              .remove(Texts.bytes("stream/b"))
              .put(Texts.bytes("stream/a"), Texts.bytes("4096"))
              .put(
                  Texts.bytes("tagged"),
                  Texts.bytes("value"),
                  WriteOptions.defaults()
                      .withTags(Set.of("x", "yz"))
                      .withTimeToLive(Duration.ofSeconds(1))));
      store.put(Texts.bytes("long"), Texts.bytes("x".repeat(4000)));
    }
    assertEquals(List.of("LOCK", FIRST, SECOND, HINT, INDEX), files.names());
    for (String name : List.of(FIRST, SECOND)) {
      GoldenFiles.check(GOLDEN, name, files.content(name));
    }
    GoldenFiles.check(IN_ORDER, HINT, files.content(HINT));
    GoldenFiles.check(WITH_TAGS, INDEX, files.content(INDEX));
  }

  private static DataFileStore open(SimulatedFileSystem files) throws IOException {
    AtomicLong next = new AtomicLong(0x0102030405060708L);
    RandomGenerator numbers = () -> next.getAndAdd(0x1010101010101010L);
    return DataFileStore.open(
        files.calls(),
        SimulatedFileSystem.STORE,
        DataFileOptions.defaults()
            .withFileBytes(4096)
            .withBackground(Runnable::run)
            .withWriteWithin(Duration.ofHours(1))
            .withRandom(numbers)
            .withClock(() -> Instant.ofEpochMilli(1_000_000)));
  }
}
