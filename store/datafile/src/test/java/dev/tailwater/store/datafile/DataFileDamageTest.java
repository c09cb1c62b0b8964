package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.tool.DataFileTool;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.StoreTool;
import dev.tailwater.store.log.TransactionLogStore;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Files that are not as they were written, and calls that fail. */
class DataFileDamageTest {
  private static final String FIRST = "data-0000000001-0000000001-000000";
  private static final String FIRST_HINT = "hint-0000000001-0000000001-000000";
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withFileBytes(4096)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1));

  private SimulatedFileSystem files = new SimulatedFileSystem();

  /** Several values for each key, some of them in batches, in several files. */
  private Map<String, List<String>> fill(long seed) throws IOException {
    Random random = new Random(seed);
    Map<String, List<String>> history = new TreeMap<>();
    try (KeyValueStore store = open()) {
      for (int i = 0; i < 60; i++) {
        WriteBatch batch = new WriteBatch();
        for (int n = random.nextInt(3); n >= 0; n--) {
          String key = "key" + random.nextInt(8);
          String value = "value " + i + "." + n + "x".repeat(random.nextInt(200));
          batch.put(Texts.bytes(key), Texts.bytes(value));
          history.computeIfAbsent(key, any -> new ArrayList<>()).add(value);
        }
        store.apply(
            batch,
            WriteOptions.defaults()
                .withDurability(i % 3 == 0 ? Durability.GROUP : Durability.NONE));
      }
    }
    return history;
  }

  @Test
  void neverGivesAWrongValueWhateverBitsAreFlippedOrCutOrZeroed() throws IOException {
    for (long seed = 1; seed <= 250; seed++) {
      files = new SimulatedFileSystem();
      Map<String, List<String>> history = fill(seed % 5);
      Random random = new Random(seed);
      List<String> names = files.names().stream().filter(name -> !name.equals("LOCK")).toList();
      String name = names.get(random.nextInt(names.size()));
      if (random.nextInt(3) == 0) {
        files.delete("index"); // so that records and hints are read
      }
      if (files.names().contains(name)) {
        files.replace(name, damaged(files.content(name), random));
      }
      checkValues(history, "seed " + seed + ", " + name);
    }
  }

  private static byte[] damaged(byte[] content, Random random) {
    byte[] bytes = content.clone();
    int from = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(100));
    switch (random.nextInt(5)) {
      case 0 -> bytes[from] ^= (byte) (1 << random.nextInt(8));
      case 1 -> Arrays.fill(bytes, from, to, (byte) 0);
      case 2 -> bytes = Arrays.copyOf(bytes, from);
      case 3 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(5000));
      default -> {
        byte[] garbage = new byte[to - from];
        random.nextBytes(garbage);
        System.arraycopy(garbage, 0, bytes, from, garbage.length);
      }
    }
    return bytes;
  }

  /** Opening and reading may refuse; what they give must be what once was. */
  private void checkValues(Map<String, List<String>> history, String place) throws IOException {
    try (KeyValueStore store = open()) {
      for (Map.Entry<String, List<String>> entry : history.entrySet()) {
        try {
          Optional<String> found = store.get(Texts.bytes(entry.getKey())).map(Texts::text);
          assertTrue(
              found.isEmpty() || entry.getValue().contains(found.get()), place + ": " + found);
        } catch (DamagedStoreException refused) {
          assertTrue(refused.offsetBytes() >= 0, place);
        }
      }
    } catch (StoreException refused) {
      assertTrue(refused.toString().contains("/store"), place + ": " + refused);
    }
  }

  @Test
  void reportsEveryFlippedBitOfASealedFileThatCouldChangeAValue() throws IOException {
    Map<String, List<String>> history = fill(1);
    Map<String, String> newest = new HashMap<>();
    history.forEach((key, values) -> newest.put(key, values.getLast()));
    SimulatedFileSystem whole = files;
    byte[] content = whole.content(FIRST);
    for (int at = 0; at < content.length; at += 7) {
      files = copyOf(whole);
      files.delete("index");
      files.delete("hint-0000000001-0000000001-000000");
      byte[] bytes = content.clone();
      bytes[at] ^= 16;
      files.replace(FIRST, bytes);
      int place = at;
      StoreException refused =
          assertThrows(StoreException.class, this::open, () -> "offset " + place);
      assertTrue(refused.toString().contains(FIRST), refused.getMessage());
    }
  }

  private static SimulatedFileSystem copyOf(SimulatedFileSystem from) {
    SimulatedFileSystem copy = new SimulatedFileSystem();
    from.names().forEach(name -> copy.replace(name, from.content(name)));
    return copy;
  }

  @Test
  void givesOtherKeysWhenOneRecordIsDamagedAndNamesItsPlace() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(Texts.bytes("a"), Texts.bytes("first"));
      store.put(Texts.bytes("b"), Texts.bytes("second"));
    }
    byte[] bytes = files.content(FIRST);
    bytes[Texts.text(bytes).indexOf("first")] ^= 1;
    files.replace(FIRST, bytes);
    KeyValueStore store = open();
    assertEquals("second", Texts.text(store.get(Texts.bytes("b")).orElseThrow()));
    DamagedStoreException damaged =
        assertThrows(DamagedStoreException.class, () -> store.get(Texts.bytes("a")));
    assertTrue(damaged.file().toString().endsWith(FIRST), damaged.getMessage());
    assertEquals(96, damaged.offsetBytes());
    store.close();
  }

  @Test
  void reportsDamageInFrontOfAMarkButCutsWhatIsBehindTheLast() throws IOException {
    KeyValueStore store = open();
    for (String key : List.of("a", "b", "c")) {
      store.put(Texts.bytes(key), Texts.bytes("value of " + key));
    }
    files.killProcess();
    byte[] bytes = files.content(FIRST);
    SimulatedFileSystem whole = files;
    for (String key : List.of("a", "b", "c")) {
      files = copyOf(whole);
      byte[] flipped = bytes.clone();
      flipped[Texts.text(bytes).indexOf("value of " + key)] ^= 1;
      files.replace(FIRST, flipped);
      if (key.equals("c")) { // nothing says that it had been durable
        try (KeyValueStore again = open()) {
          assertEquals(Map.of("a", "value of a", "b", "value of b"), Texts.contents(again));
          assertTrue(again.statistics().cutBytes() > 0);
        }
      } else {
        assertThrows(DamagedStoreException.class, this::open);
      }
    }
  }

  @Test
  void opensWithoutHintsAndIndexAsWithThem() throws IOException {
    fill(2);
    Map<String, String> contents = contents();
    for (String name : files.names()) {
      if (name.startsWith("hint") || name.equals("index")) {
        files.delete(name);
      }
    }
    assertEquals(contents, contents());
    files.delete("index");
    assertEquals(contents, contents(), "from hints made at opening");
    assertTrue(files.names().stream().anyMatch(name -> name.startsWith("hint")));
  }

  private Map<String, String> contents() throws IOException {
    try (KeyValueStore store = open()) {
      return Texts.contents(store);
    }
  }

  @Test
  void refusesADirectoryOfTheOtherMode() throws IOException {
    fill(4);
    assertThrows(
        UnsupportedStoreFormatException.class,
        () ->
            TransactionLogStore.open(
                files.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults()));
    assertThrows(
        UnsupportedStoreFormatException.class,
        () -> new StoreTool(files.calls(), SimulatedFileSystem.STORE).stats());
    files = new SimulatedFileSystem();
    TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults())
        .close();
    assertThrows(UnsupportedStoreFormatException.class, this::open);
    assertEquals(List.of("LOCK", "log-0000000000000000001"), files.names());
  }

  @Test
  void goingThroughAClosedStoreNeverLeavesOutWhatADamagedEndHeld() throws IOException {
    fill(1);
    SimulatedFileSystem whole = files;
    List<String> names = whole.names().stream().filter(name -> name.startsWith("data-")).toList();
    for (String name : List.of(names.getFirst(), names.getLast())) {
      byte[] content = whole.content(name);
      for (int from = content.length - 1; from > content.length - 150; from -= 13) {
        for (boolean withIndex : List.of(true, false)) {
          files = copyOf(whole);
          if (!withIndex) {
            files.delete("index"); // then hints are believed
          }
          byte[] bytes = content.clone();
          Arrays.fill(bytes, from, bytes.length, (byte) ~bytes[from]);
          files.replace(name, bytes);
          DataFileTool tool = new DataFileTool(files.calls(), SimulatedFileSystem.STORE);
          String place = name + " from " + from + (withIndex ? "" : ", without index");
          if (withIndex || !name.equals(names.getLast())) {
            DamagedStoreException damaged =
                assertThrows(
                    DamagedStoreException.class, () -> tool.forEach(new byte[0], any -> {}), place);
            assertTrue(damaged.file().toString().endsWith(name), damaged.getMessage());
          }
        }
      }
    }
  }

  @Test
  void reportsAFileThatIsMissing() throws IOException {
    fill(3);
    files.delete(FIRST);
    DamagedStoreException damaged = assertThrows(DamagedStoreException.class, this::open);
    assertTrue(damaged.toString().contains("missing"), damaged.getMessage());
  }

  @Test
  void reportsTheNewestFilesThatAreMissingInsteadOfGoingBackInTime() throws IOException {
    fill(3);
    SimulatedFileSystem whole = files;
    List<String> names = whole.names().stream().filter(name -> name.startsWith("data-")).toList();
    for (int left = names.size() - 1; left >= 0; left--) {
      files = copyOf(whole);
      names.subList(left, names.size()).forEach(files::delete);
      List<String> before = files.names();
      DamagedStoreException damaged =
          assertThrows(DamagedStoreException.class, this::open, left + " left");
      assertTrue(damaged.toString().contains("missing"), damaged.getMessage());
      assertTrue(files.names().containsAll(before), "nothing is taken away");
    }
  }

  @Test
  void reportsThemAlsoWhenOnlyHintsTellOfThem() throws IOException {
    fill(3);
    files.delete("index");
    SimulatedFileSystem whole = files;
    List<String> names = whole.names().stream().filter(name -> name.startsWith("data-")).toList();
    int hints = (int) whole.names().stream().filter(name -> name.startsWith("hint-")).count();
    assertTrue(hints >= names.size() - 1, "the last may be too short for one");
    for (int left = hints - 1; left >= 0; left--) {
      files = copyOf(whole);
      names.subList(left, names.size()).forEach(files::delete);
      List<String> before = files.names();
      DamagedStoreException damaged =
          assertThrows(DamagedStoreException.class, this::open, left + " left");
      assertTrue(damaged.toString().contains("missing"), damaged.getMessage());
      assertTrue(files.names().containsAll(before), "nothing is taken away");
    }
  }

  @Test
  void takesNoHintOfAnotherStoreForAMissingFile() throws IOException {
    fill(3);
    byte[] alien = files.content("hint-0000000001-0000000001-000000");
    files = new SimulatedFileSystem();
    fill(3);
    Map<String, String> contents = contents();
    DataFileName behind = new DataFileName(1000, 1000, 0);
    files.replace(behind.hintPath().toString(), alien);
    assertEquals(contents, contents());
    assertFalse(files.names().contains(behind.hintPath().toString()));
  }

  @Test
  void reportsAFileThatIsShorterThanItsHintSays() throws IOException {
    leaveOneFileWithItsHint();
    byte[] content = files.content(FIRST);
    files.replace(FIRST, Arrays.copyOf(content, 1000));
    DamagedStoreException damaged = assertThrows(DamagedStoreException.class, this::open);
    assertTrue(damaged.file().toString().endsWith(FIRST), damaged.getMessage());
    assertEquals(1000, damaged.offsetBytes());
    assertEquals(1000, files.content(FIRST).length, "nothing was changed");
  }

  /** Everything is durable, and the process is killed before the file is full. */
  private void leaveOneFileWithItsHint() throws IOException {
    KeyValueStore store = open();
    for (int i = 0; i < 40; i++) {
      String key = "key" + i % 20;
      if (i % 7 == 6) {
        store.remove(Texts.bytes(key), WriteOptions.defaults());
      } else {
        store.put(Texts.bytes(key), Texts.bytes("value " + i));
      }
    }
    files.killProcess();
    assertTrue(files.names().contains(FIRST_HINT), "the hint of the file is there");
    assertEquals(1, files.names().stream().filter(name -> name.startsWith("data-")).count());
  }

  @Test
  void doesNotReadAgainWhatTheHintOfTheNewestFileTells() throws IOException {
    leaveOneFileWithItsHint();
    byte[] content = files.content(FIRST);
    content[Texts.text(content).indexOf("value 0")] ^= 1;
    files.replace(FIRST, content);
    contents(); // key0 was put again behind that
    files.killProcess();
    files.delete("index");
    files.delete(FIRST_HINT);
    assertThrows(DamagedStoreException.class, this::open);
  }

  @Test
  void opensTheSameWhereverAHintEnds() throws IOException {
    leaveOneFileWithItsHint();
    SimulatedFileSystem whole = files;
    files = copyOf(whole);
    files.delete(FIRST_HINT);
    Map<String, String> contents = contents();
    byte[] hint = whole.content(FIRST_HINT);
    for (int length = 0; length <= hint.length; length += 3) {
      files = copyOf(whole);
      files.replace(FIRST_HINT, Arrays.copyOf(hint, length));
      assertEquals(contents, contents(), length + " bytes of the hint");
      byte[] damaged = hint.clone();
      damaged[Math.min(length, hint.length - 1)] ^= 16;
      files = copyOf(whole);
      files.replace(FIRST_HINT, damaged);
      assertEquals(contents, contents(), "a bit at " + length);
    }
  }

  @Test
  void forgetsAHintThatCouldTellOfWhatIsCut() throws IOException {
    leaveOneFileWithItsHint();
    byte[] content = files.content(FIRST);
    byte[] hint = files.content(FIRST_HINT);
    files.replace(FIRST_HINT, Arrays.copyOf(hint, 90));
    files.replace(FIRST, Arrays.copyOf(content, 1000));
    contents();
    assertFalse(files.names().contains(FIRST_HINT));
  }

  @Test
  void refusesAWriteWithoutSpaceAndTakesTheNextOneWithSpace() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(Texts.bytes("a"), Texts.bytes("1"));
      files.freeBytes(0);
      StoreWriteException refused =
          assertThrows(
              StoreWriteException.class, () -> store.put(Texts.bytes("b"), new byte[100_000]));
      assertTrue(refused.hint().contains("Free some space"), refused.hint());
      assertEquals(Optional.empty(), store.get(Texts.bytes("b")));
      files.freeBytes(Long.MAX_VALUE);
      store.put(Texts.bytes("c"), Texts.bytes("3"));
    }
    assertEquals(Map.of("a", "1", "c", "3"), contents());
  }

  @Test
  void takesNoMoreWritesOnceASyncFailedButGoesOnReading() throws IOException {
    KeyValueStore store = open();
    store.put(Texts.bytes("a"), Texts.bytes("1"));
    files.faults(method -> method.equals("fdatasync") ? Optional.of(Errno.EIO) : Optional.empty());
    assertThrows(StoreFailedException.class, () -> store.put(Texts.bytes("b"), Texts.bytes("2")));
    files.faults(method -> Optional.empty());
    assertThrows(StoreFailedException.class, () -> store.put(Texts.bytes("c"), Texts.bytes("3")));
    assertEquals("1", Texts.text(store.get(Texts.bytes("a")).orElseThrow()));
    assertEquals(Optional.empty(), store.get(Texts.bytes("b")), "it is not known to be durable");
    assertThrows(StoreFailedException.class, store::close);
    files.losePower(new Random(1));
    assertEquals("1", contents().get("a"));
  }

  @Test
  void everyFailingCallLeavesAStoreThatOpensWithWhatWasDurable() throws IOException {
    for (String method :
        List.of("pwrite", "fallocate", "fsync", "rename", "open", "truncate", "fadvise", "pread")) {
      for (int number = 1; number <= 40; number += 3) {
        files = new SimulatedFileSystem();
        contents();
        Map<String, String> durable = writeWhileFails(method, number);
        files.losePower(new Random(number));
        Map<String, String> found = contents();
        durable.forEach(
            (key, value) -> assertEquals(value, found.get(key), method + " fails: " + key));
      }
    }
  }

  private Map<String, String> writeWhileFails(String method, int number) throws IOException {
    Map<String, String> durable = new TreeMap<>();
    long from = files.callsOf(method) + number;
    files.faults(
        name ->
            name.equals(method) && files.callsOf(method) == from
                ? Optional.of(Errno.EIO)
                : Optional.empty());
    try (KeyValueStore store = open()) {
      for (int i = 0; i < 40; i++) {
        String key = "key" + i % 10;
        String value = "value" + i + "y".repeat(300);
        durable.remove(key);
        store.put(Texts.bytes(key), Texts.bytes(value));
        durable.put(key, value);
      }
    } catch (IOException refused) {
      assertTrue(refused.toString().contains("store"), refused.toString());
    } finally {
      files.faults(name -> Optional.empty());
    }
    return durable;
  }

  private KeyValueStore open() throws IOException {
    return DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, OPTIONS);
  }
}
