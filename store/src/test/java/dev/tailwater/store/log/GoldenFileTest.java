package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Files of format version 1, as hexadecimal text with remarks. A program that cannot read them, or
 * writes others, has changed the format.
 */
class GoldenFileTest {
  private static final String SNAPSHOT = "snapshot-0000000000000000001";
  private static final String LOG = "log-0000000000000000002";
  private static final Map<String, String> CONTENTS =
      Map.of("stream/a", "4096", "stream/c", "", "\u00ff\u0000", "bytes");

  @Test
  void readsTheGoldenFiles() throws IOException {
    SimulatedFileSystem files = new SimulatedFileSystem();
    files.replace(SNAPSHOT, golden(SNAPSHOT));
    files.replace(LOG, golden(LOG));
    StoreTool tool = new StoreTool(files.calls(), SimulatedFileSystem.STORE);
    assertEquals(CONTENTS, Texts.contents(tool));
    assertTrue(tool.verify().isWhole());
    try (KeyValueStore store =
        TransactionLogStore.open(
            files.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults())) {
      assertEquals(CONTENTS, Texts.contents(store));
    }
    assertArrayEquals(golden(LOG), files.content(LOG), "opening and closing adds nothing");
  }

  @Test
  void writesTheGoldenFiles() throws IOException {
    SimulatedFileSystem files = new SimulatedFileSystem();
    AtomicLong next = new AtomicLong(0x0102030405060708L);
    RandomGenerator numbers = () -> next.getAndAdd(0x1010101010101010L);
    StoreOptions options =
        StoreOptions.defaults()
            .withRandom(numbers)
            .withCompactor(Runnable::run)
            .withCompactAboveBytes(200);
    try (KeyValueStore store =
        TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options)) {
      store.put(Texts.bytes("stream/a"), Texts.bytes("1024"));
      store.put(Texts.bytes("stream/b"), Texts.bytes("2048"));
      store.put(Texts.bytes("stream/a"), Texts.bytes("4096")); // compacts
      store.apply(
          new WriteBatch()
              .remove(Texts.bytes("stream/b"))
              .put(Texts.bytes("stream/c"), new byte[0])
              .put(Texts.bytes("\u00ff\u0000"), Texts.bytes("bytes")));
    }
    assertEquals(List.of("LOCK", LOG, SNAPSHOT), files.names());
    assertArrayEquals(golden(SNAPSHOT), files.content(SNAPSHOT), () -> hex(files, SNAPSHOT));
    assertArrayEquals(golden(LOG), files.content(LOG), () -> hex(files, LOG));
  }

  private static String hex(SimulatedFileSystem files, String name) {
    return name + " is " + HexFormat.of().formatHex(files.content(name));
  }

  private static byte[] golden(String name) {
    String resource = "golden-v1/" + name + ".hex";
    try (InputStream in = GoldenFileTest.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new AssertionError("no " + resource);
      }
      StringBuilder digits = new StringBuilder();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        digits.append(line.replaceFirst("#.*", "").replaceAll("\\s", ""));
      }
      return HexFormat.of().parseHex(digits);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
