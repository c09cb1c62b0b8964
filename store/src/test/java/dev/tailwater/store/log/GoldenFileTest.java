package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.GoldenFiles;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Files of the transaction-log mode, as hexadecimal text with remarks. A program that cannot read
 * them, or writes others than the newest, has changed the format.
 */
class GoldenFileTest {
  private static final WriteOptions PLAIN = WriteOptions.defaults();
  private static final String SNAPSHOT = "snapshot-0000000000000000001";
  private static final String LOG = "log-0000000000000000002";
  private static final Map<String, String> CONTENTS =
      Map.of("stream/a", "4096", "stream/c", "", "\u00ff\u0000", "bytes");
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().withClock(() -> Instant.ofEpochMilli(1_000_000));

  @Test
  void readsTheGoldenFilesOfVersion1() throws IOException {
    SimulatedFileSystem files = reads("golden-v1", CONTENTS);
    try (TransactionLogStore store = open(files, OPTIONS)) {
      long version = store.put(Texts.bytes("stream/a"), Texts.bytes("8192"), PLAIN);
      assertEquals((2L << 32) + 3, version, "the fourth operation of the second log");
      store.put(Texts.bytes("t"), new byte[0], PLAIN.withTags(Set.of("tag")));
    }
    assertTrue(
        files.names().contains("log-0000000000000000003"), "only version 2 can hold the tag");
    try (TransactionLogStore store = open(files, OPTIONS)) {
      assertEquals(Set.of("tag"), store.find(Texts.bytes("t")).orElseThrow().tags());
      assertEquals("8192", Texts.text(store.get(Texts.bytes("stream/a")).orElseThrow()));
    }
  }

  @Test
  void readsTheGoldenFilesOfVersion2() throws IOException {
    Map<String, String> contents = new TreeMap<>(CONTENTS);
    contents.put("tagged", "value");
    reads("golden-v2", contents);
  }

  private static SimulatedFileSystem reads(String version, Map<String, String> contents)
      throws IOException {
    SimulatedFileSystem files = new SimulatedFileSystem();
    files.replace(SNAPSHOT, GoldenFiles.read(version, SNAPSHOT));
    files.replace(LOG, GoldenFiles.read(version, LOG));
    StoreTool tool = new StoreTool(files.calls(), SimulatedFileSystem.STORE);
    assertTrue(tool.verify().isWhole());
    try (TransactionLogStore store = open(files, OPTIONS)) {
      assertEquals(contents, Texts.contents(store));
    }
    assertArrayEquals(
        GoldenFiles.read(version, LOG), files.content(LOG), "opening and closing adds nothing");
    return files;
  }

  @Test
  void writesTheGoldenFilesOfVersion2() throws IOException {
    SimulatedFileSystem files = new SimulatedFileSystem();
    AtomicLong next = new AtomicLong(0x0102030405060708L);
    RandomGenerator numbers = () -> next.getAndAdd(0x1010101010101010L);
    StoreOptions options =
        OPTIONS.withRandom(numbers).withCompactor(Runnable::run).withCompactAboveBytes(200);
    try (TransactionLogStore store = open(files, options)) {
      store.put(Texts.bytes("stream/a"), Texts.bytes("1024"));
      store.put(Texts.bytes("stream/b"), Texts.bytes("2048"));
      store.put(Texts.bytes("stream/a"), Texts.bytes("4096")); // compacts
      store.apply(
          new WriteBatch()
              .remove(Texts.bytes("stream/b"))
              .put(Texts.bytes("stream/c"), new byte[0])
              .put(Texts.bytes("\u00ff\u0000"), Texts.bytes("bytes"))
              .put(
                  Texts.bytes("tagged"),
                  Texts.bytes("value"),
                  PLAIN.withTags(Set.of("x", "yz")).withTimeToLive(Duration.ofSeconds(1))));
    }
    assertEquals(List.of("LOCK", LOG, SNAPSHOT), files.names());
    GoldenFiles.check("golden-v2", SNAPSHOT, files.content(SNAPSHOT));
    GoldenFiles.check("golden-v2", LOG, files.content(LOG));
  }

  private static TransactionLogStore open(SimulatedFileSystem files, StoreOptions options)
      throws IOException {
    return TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options);
  }
}
