package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FrameHeader;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Every truncation, every flipped bit and many zeroed ranges of small files. */
class DamageTest {
  private static final String LOG = "log-0000000000000000001";
  private static final int WRITES = 6;

  private final SimulatedFileSystem files = new SimulatedFileSystem();
  private final StoreTool tool = new StoreTool(files.calls(), SimulatedFileSystem.STORE);

  /** What the store held after each write. */
  private final List<Map<String, String>> history = new ArrayList<>(List.of(Map.of()));

  @Test
  void opensEveryTruncationOfALogAsAnEarlierState() throws IOException {
    byte[] log = closedLog();
    for (int length = FileHeader.LENGTH_BYTES; length < log.length; length++) {
      files.replace(LOG, Arrays.copyOf(log, length));
      Map<String, String> found = Texts.contents(tool);
      assertTrue(history.contains(found), "cut to " + length);
      assertEquals(found, reopenAndPut(), "cut to " + length);
    }
    for (int length = 0; length < FileHeader.LENGTH_BYTES; length++) {
      files.replace(LOG, Arrays.copyOf(log, length));
      assertThrows(DamagedStoreException.class, this::open, "cut to " + length);
    }
  }

  @Test
  void reportsEveryFlippedBitOfAClosedLogThatCouldChangeAValue() throws IOException {
    byte[] log = closedLog();
    int seal = log.length - FrameHeader.LENGTH_BYTES;
    for (int bit = 0; bit < log.length * 8; bit++) {
      files.replace(LOG, flipped(log, bit));
      int at = bit / 8;
      if (at < seal) {
        DamagedStoreException damage =
            assertThrows(DamagedStoreException.class, this::open, "bit " + bit);
        assertTrue(damage.offsetBytes() <= at, "bit " + bit + ": " + damage.getMessage());
        assertEquals(SimulatedFileSystem.STORE.resolve(LOG), damage.file());
        assertFalse(tool.verify().isWhole(), "bit " + bit);
      } else {
        assertEquals(history.getLast(), Texts.contents(tool), "bit " + bit);
      }
      assertTrue(Arrays.equals(flipped(log, bit), files.content(LOG)), "nothing was changed");
    }
  }

  @Test
  void takesOnlyTheLastFrameOfAKilledProcessForTorn() throws IOException {
    byte[] log = closedLog();
    byte[] killed = Arrays.copyOf(log, log.length - FrameHeader.LENGTH_BYTES);
    int lastFrame = lastFrameOffset(killed);
    for (int bit = 0; bit < killed.length * 8; bit++) {
      files.replace(LOG, flipped(killed, bit));
      if (bit / 8 < lastFrame) {
        assertThrows(DamagedStoreException.class, () -> Texts.contents(tool), "bit " + bit);
      } else {
        assertEquals(history.get(WRITES - 1), Texts.contents(tool), "bit " + bit);
      }
    }
  }

  @Test
  void neverGivesAWrongStateForAZeroedRange() throws IOException {
    byte[] log = closedLog();
    for (int from = 0; from < log.length; from += 3) {
      for (int to = from + 1; to <= log.length; to += 5) {
        byte[] zeroed = log.clone();
        Arrays.fill(zeroed, from, to, (byte) 0);
        files.replace(LOG, zeroed);
        try {
          assertTrue(history.contains(Texts.contents(tool)), "zeroed " + from + " to " + to);
        } catch (DamagedStoreException damaged) {
          assertTrue(damaged.offsetBytes() <= to, "zeroed " + from + " to " + to);
        }
      }
    }
  }

  @Test
  void cutsAZeroFilledTailAndGoesOnBehindIt() throws IOException {
    byte[] log = closedLog();
    files.replace(LOG, Arrays.copyOf(log, log.length + 10_000));
    try (KeyValueStore store = open()) {
      assertEquals(10_000, store.statistics().cutBytes());
      assertEquals(history.getLast(), Texts.contents(store));
    }
    assertEquals(log.length, files.content(LOG).length, "cut, and still sealed");
  }

  @Test
  void reportsEveryFlippedBitOfASnapshot() throws IOException {
    closedLog();
    compact();
    String snapshot =
        files.names().stream()
            .filter(name -> name.startsWith("snapshot"))
            .findFirst()
            .orElseThrow();
    byte[] content = files.content(snapshot);
    for (int bit = 0; bit < content.length * 8; bit++) {
      files.replace(snapshot, flipped(content, bit));
      assertThrows(DamagedStoreException.class, this::open, "bit " + bit);
    }
    for (int length = 0; length < content.length; length++) {
      files.replace(snapshot, Arrays.copyOf(content, length));
      assertThrows(DamagedStoreException.class, this::open, "cut to " + length);
    }
    files.replace(snapshot, Arrays.copyOf(content, content.length + 1));
    assertThrows(DamagedStoreException.class, this::open, "one byte more");
  }

  @Test
  void reportsALogThatIsMissing() throws IOException {
    closedLog();
    compact();
    String newest =
        files.names().stream()
            .filter(name -> name.startsWith("log"))
            .reduce((a, b) -> b)
            .orElseThrow();
    files.delete(newest);
    DamagedStoreException damage = assertThrows(DamagedStoreException.class, this::open);
    assertEquals(SimulatedFileSystem.STORE.resolve(newest), damage.file());
    assertFalse(tool.verify().isWhole());
  }

  @Test
  void reportsATornTailInALogThatIsNotTheLast() throws IOException {
    byte[] log = closedLog();
    Executor never =
        task -> {
          throw new RejectedExecutionException("no thread");
        };
    StoreOptions options = StoreOptions.defaults().withCompactAboveBytes(0).withCompactor(never);
    try (KeyValueStore store =
        TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options)) {
      store.put(Texts.bytes("more"), Texts.bytes("1"));
    }
    assertTrue(files.names().contains("log-0000000000000000002"), files.names().toString());
    byte[] earlier = files.content(LOG);
    assertTrue(earlier.length > log.length);
    files.replace(LOG, Arrays.copyOf(earlier, earlier.length - 1));
    assertThrows(DamagedStoreException.class, this::open);
    files.replace(LOG, Arrays.copyOf(earlier, earlier.length - FrameHeader.LENGTH_BYTES));
    assertThrows(DamagedStoreException.class, this::open);
  }

  @Test
  void doesNotTakeAFrameOfAnotherFileOrPlaceForItsOwn() throws IOException {
    byte[] log = closedLog();
    int frame = FileHeader.LENGTH_BYTES;
    byte[] doubled = Arrays.copyOf(log, log.length + (log.length - frame));
    System.arraycopy(log, frame, doubled, log.length, log.length - frame);
    files.replace(LOG, doubled);
    assertEquals(history.getLast(), Texts.contents(tool), "frames copied behind themselves");

    SimulatedFileSystem other = new SimulatedFileSystem();
    try (KeyValueStore store =
        TransactionLogStore.open(
            other.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults())) {
      store.put(Texts.bytes("alien"), Texts.bytes("1"));
    }
    byte[] alien = other.content(LOG);
    byte[] recycled = Arrays.copyOf(log, frame + alien.length);
    System.arraycopy(alien, frame, recycled, frame, alien.length - frame);
    Arrays.fill(recycled, alien.length, recycled.length, (byte) 0);
    files.replace(LOG, recycled);
    assertEquals(Map.of(), Texts.contents(tool), "stale bytes of another log");
  }

  @Test
  void keepsAValueThatIsItselfALog() throws IOException {
    byte[] log = closedLog();
    try (KeyValueStore store = open()) {
      store.put(Texts.bytes("log"), log);
    }
    // Torn in the middle of that value: its frames must not pass for frames of the file.
    byte[] outer = files.content(LOG);
    files.replace(LOG, Arrays.copyOf(outer, outer.length - FrameHeader.LENGTH_BYTES - 5));
    assertEquals(history.getLast(), Texts.contents(tool));
  }

  @Test
  void refusesANewerFormatInsteadOfCallingItDamaged() throws IOException {
    byte[] log = closedLog();
    byte[] newer = log.clone();
    newer[8] = 3;
    files.replace(LOG, withHeaderChecksum(newer));
    assertThrows(UnsupportedStoreFormatException.class, this::open);
    byte[] dataFileMode = log.clone();
    dataFileMode[10] = 2;
    files.replace(LOG, withHeaderChecksum(dataFileMode));
    assertThrows(UnsupportedStoreFormatException.class, this::open);
  }

  private static byte[] withHeaderChecksum(byte[] file) {
    CRC32C crc = new CRC32C();
    crc.update(file, 0, 44);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(44, (int) crc.getValue());
    return file;
  }

  private KeyValueStore open() throws IOException {
    return TransactionLogStore.open(
        files.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults());
  }

  /** A log of {@value #WRITES} frames and a seal; the states after each are in the history. */
  private byte[] closedLog() throws IOException {
    try (KeyValueStore store = open()) {
      for (int i = 0; i < WRITES; i++) {
        WriteBatch batch = new WriteBatch().put(Texts.bytes("k" + i), Texts.bytes("value" + i));
        batch.put(Texts.bytes("last"), Texts.bytes("" + i)).remove(Texts.bytes("k" + (i - 2)));
        store.apply(batch);
        history.add(Texts.contents(store));
      }
    }
    return files.content(LOG);
  }

  private void compact() throws IOException {
    StoreOptions options =
        StoreOptions.defaults().withCompactAboveBytes(0).withCompactor(Runnable::run);
    try (KeyValueStore store =
        TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options)) {
      store.put(Texts.bytes("k"), Texts.bytes("compacted"));
    }
  }

  private Map<String, String> reopenAndPut() throws IOException {
    Map<String, String> before;
    try (KeyValueStore store = open()) {
      before = Texts.contents(store);
      store.put(Texts.bytes("after"), Texts.bytes("cut"));
    }
    Map<String, String> expected = new TreeMap<>(before);
    expected.put("after", "cut");
    assertEquals(expected, Texts.contents(tool));
    assertTrue(tool.verify().isWhole());
    return before;
  }

  private int lastFrameOffset(byte[] log) {
    long salt = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN).getLong(32);
    int last = 0;
    for (int at = 0; at + FrameHeader.LENGTH_BYTES <= log.length; at++) {
      Optional<FrameHeader> header = FrameHeader.parse(log, at, salt, at);
      last = header.isPresent() ? at : last;
    }
    return last;
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8] ^= (byte) (1 << bit % 8);
    return flipped;
  }
}
