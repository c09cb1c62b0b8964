package dev.tailwater.store.datafile.vacuum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.VacuumStatistics;
import dev.tailwater.store.VacuumStatistics.Damage;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the vacuum does when something is in its way, and what it tells. */
class VacuumTest {
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);

  private final SimulatedFileSystem files = new SimulatedFileSystem();
  private final Map<String, String> model = new TreeMap<>();
  private final Random random = new Random(1);
  private long nowMillis = 1_000_000;

  @Test
  void reclaimsWhatIsDeadAndSaysHowFarItHasCome() throws IOException {
    try (DataFileStore store = open()) {
      write(store, 300);
      List<Long> done = new ArrayList<>();
      List<Long> total = new ArrayList<>();
      VacuumResult result =
          store.vacuum(
              (doneBytes, totalBytes) -> {
                done.add(doneBytes);
                total.add(totalBytes);
              });
      assertTrue(result.bytesAfter() < result.bytesBefore() / 3, result.toString());
      assertTrue(result.rewrittenFiles() > result.writtenFiles(), result.toString());
      assertTrue(total.getFirst() > 0);
      assertEquals(total.getLast(), done.getLast());
      assertEquals(done.stream().sorted().toList(), done);
      assertEquals(result.bytesAfter(), store.statistics().logBytes());
      VacuumStatistics statistics = store.statistics().vacuum();
      assertEquals(result.rewrittenFiles(), statistics.rewrittenFiles());
      assertFalse(statistics.running());
      check(store);
      VacuumResult again = store.vacuum();
      assertEquals(0, again.rewrittenFiles(), "nothing is left to do: " + again);
    }
    try (DataFileStore store = open()) {
      check(store);
    }
    files.delete("index");
    try (DataFileStore store = open()) {
      check(store);
    }
  }

  /** Each of these files hides something in those before it. */
  @Test
  void bringsNoOldValueBackInWhateverOrderFilesAreRewritten() throws IOException {
    try (DataFileStore store = open()) {
      put(store, "a", "first".repeat(100));
      put(store, "stays", "x".repeat(4000));
      remove(store, "a");
      put(store, "b", "x".repeat(3900));
      remove(store, "b");
      put(store, "c", "x".repeat(3900));
    }
    for (int round = 0; round < 4; round++) {
      try (DataFileStore store = open()) {
        check(store);
        store.vacuum();
        put(store, "d" + round, "x".repeat(3900));
        put(store, "stays", "y".repeat(3900 + round));
        check(store);
      }
      files.names().stream().filter(name -> !name.startsWith("data")).toList().stream()
          .filter(name -> !name.equals("LOCK"))
          .forEach(files::delete);
    }
  }

  @Test
  void givesNoVersionTwiceAlsoWhenTheNewestRecordsAreGone() throws IOException {
    long last;
    try (DataFileStore store = open()) {
      put(store, "a", "1");
      last = store.put(Texts.bytes("b"), Texts.bytes("1"), NONE);
      store.remove(Texts.bytes("b"));
      model.remove("b");
      store.vacuum();
    }
    for (String name : List.of("index", "hint-0000000001-0000000001-000001")) {
      files.delete(name);
    }
    try (DataFileStore store = open()) {
      check(store);
      long next = store.put(Texts.bytes("c"), Texts.bytes("1"), NONE);
      assertTrue(next > last + 1, next + " after " + last);
    }
  }

  @Test
  void givesUpCleanlyWithoutSpaceAndSucceedsLater() throws IOException {
    try (DataFileStore store = open()) {
      write(store, 300);
      List<String> before = files.names();
      files.freeBytes(100);
      assertThrows(StoreWriteException.class, store::vacuum);
      List<String> left = new ArrayList<>(files.names());
      assertTrue(left.stream().noneMatch(name -> name.endsWith(".tmp")), left.toString());
      assertTrue(left.containsAll(before));
      check(store);
      files.freeBytes(Long.MAX_VALUE);
      put(store, "works", "still");
      VacuumResult result = store.vacuum();
      assertTrue(result.bytesAfter() < result.bytesBefore() / 3, result.toString());
      check(store);
    }
    try (DataFileStore store = open()) {
      check(store);
    }
  }

  /** As in a kernel that was built without it: it is advice. */
  @Test
  void aKernelThatTakesNoAdviceIsNoReasonToFail() throws IOException {
    files.faults(name -> name.equals("fadvise") ? Optional.of(Errno.ENOSYS) : Optional.empty());
    try (DataFileStore store = open()) {
      write(store, 300);
      VacuumResult result = store.vacuum();
      assertTrue(result.rewrittenFiles() > 0, result.toString());
      check(store);
    }
    try (DataFileStore store = open()) {
      check(store);
    }
  }

  @Test
  void everyFailingCallLeavesEverythingReadable() throws IOException {
    for (String method :
        List.of("open", "pread", "pwrite", "fsync", "fadvise", "rename", "unlink", "close")) {
      for (int failing = 1; failing <= 12; failing++) {
        VacuumTest test = new VacuumTest();
        test.vacuumWithFailing(method, failing);
      }
    }
  }

  private void vacuumWithFailing(String method, int failing) throws IOException {
    String place = method + " " + failing;
    DataFileStore store = open();
    write(store, 150);
    store.put(Texts.bytes("durable"), Texts.bytes("with all before"));
    model.put("durable", "with all before");
    int[] left = {failing};
    files.faults(
        name -> name.equals(method) && --left[0] == 0 ? Optional.of(Errno.EIO) : Optional.empty());
    try {
      store.vacuum();
    } catch (IOException failed) {
      assertTrue(String.valueOf(failed.getMessage()).contains("/store"), place + ": " + failed);
    }
    files.faults(name -> Optional.empty());
    check(store);
    try {
      store.close();
    } catch (IOException failedBefore) {
      assertTrue(failedBefore.getMessage() != null, place);
    }
    files.killProcess();
    try (DataFileStore again = open()) {
      check(again);
      again.vacuum();
      check(again);
    }
  }

  @Test
  void leavesADamagedFileAsItIsAndReportsIt() throws IOException {
    try (DataFileStore store = open()) {
      write(store, 300);
    }
    String victim = files.names().stream().filter(n -> n.startsWith("data")).toList().get(3);
    byte[] content = files.content(victim);
    content[1000] ^= 1;
    files.replace(victim, content);
    try (DataFileStore store = open()) {
      VacuumResult result = store.vacuum();
      assertEquals(1, result.damaged().size(), result.toString());
      Damage damage = result.damaged().getFirst();
      assertTrue(damage.file().toString().endsWith(victim), damage.toString());
      assertTrue(damage.offsetBytes() >= 96 && damage.offsetBytes() <= 1000, damage.toString());
      assertEquals(List.of(damage), store.statistics().vacuum().damaged());
      assertTrue(files.names().contains(victim));
      assertTrue(result.rewrittenFiles() > 3, "the others are vacuumed: " + result);
      checkButDamaged(store);
    }
    try (DataFileStore store = open()) {
      checkButDamaged(store);
    }
  }

  private void checkButDamaged(DataFileStore store) throws IOException {
    for (Map.Entry<String, String> entry : model.entrySet()) {
      try {
        assertEquals(
            entry.getValue(), Texts.text(store.get(Texts.bytes(entry.getKey())).orElseThrow()));
      } catch (DamagedStoreException refused) {
        assertTrue(refused.offsetBytes() <= 1000);
      }
    }
  }

  @Test
  void aSnapshotReadsFilesThatWereReplaced() throws IOException {
    try (DataFileStore store = open()) {
      write(store, 200);
      Map<String, String> then = new TreeMap<>(model);
      try (StoreSnapshot snapshot = store.snapshot()) {
        write(store, 200);
        store.vacuum();
        write(store, 100);
        store.vacuum();
        assertTrue(store.statistics().vacuum().heldBytes() > 0);
        Map<String, String> seen = new TreeMap<>();
        snapshot.forEach(
            new byte[0], entry -> seen.put(Texts.text(entry.key()), Texts.text(entry.value())));
        assertEquals(then, seen);
        check(store);
      }
      assertEquals(0, store.statistics().vacuum().heldBytes());
      write(store, 100);
      check(store);
    }
  }

  @Test
  void takesAwayWhatHasExpiredAlsoAfterReopening() throws IOException {
    try (DataFileStore store = open()) {
      put(store, "a", "old, and hidden by what expires");
      put(store, "b", "x".repeat(4000));
      WriteOptions soon = NONE.withTimeToLive(Duration.ofSeconds(1));
      store.put(Texts.bytes("a"), Texts.bytes("y".repeat(2000)), soon);
      model.remove("a");
    }
    try (DataFileStore store = open()) {
      nowMillis += 1_000_000;
      store.vacuum();
      assertEquals(1, store.statistics().keys());
      check(store);
    }
    files.names().stream()
        .filter(n -> n.startsWith("hint") || n.equals("index"))
        .forEach(files::delete);
    try (DataFileStore store = open()) {
      check(store);
      assertEquals(1, store.statistics().keys());
    }
  }

  @Test
  void refusesToVacuumAStoreThatIsClosed() throws IOException {
    DataFileStore store = open();
    store.close();
    assertThrows(IllegalStateException.class, store::vacuum);
  }

  @Test
  void aClosingStoreStopsAVacuumThatIsUnderWay() throws Exception {
    DataFileOptions slowly =
        options()
            .withFileBytes(64 * 1024)
            .withBackground(task -> Thread.ofPlatform().daemon().start(task))
            .withVacuum(VacuumOptions.defaults().withBytesPerSecond(1));
    boolean began = false;
    DataFileStore store = DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, slowly);
    for (int i = 0; !began; i++) {
      String value = i + "x".repeat(2000);
      store.put(Texts.bytes("key" + i % 20), Texts.bytes(value), NONE);
      model.put("key" + i % 20, value);
      began = store.statistics().vacuum().running();
    }
    store.close(); // returns at once: the rate would have it wait for hours
    assertTrue(files.names().stream().noneMatch(name -> name.endsWith(".tmp")));
    try (DataFileStore again = open()) {
      check(again);
    }
  }

  private void write(DataFileStore store, int writes) throws IOException {
    for (int i = 0; i < writes; i++) {
      String key = "key" + random.nextInt(20);
      if (random.nextInt(4) == 0) {
        remove(store, key);
      } else {
        put(store, key, random.nextInt() + "x".repeat(random.nextInt(400)));
      }
    }
  }

  private void put(DataFileStore store, String key, String value) throws IOException {
    store.put(Texts.bytes(key), Texts.bytes(value), NONE);
    model.put(key, value);
  }

  private void remove(DataFileStore store, String key) throws IOException {
    store.remove(Texts.bytes(key), NONE);
    model.remove(key);
  }

  private void check(DataFileStore store) throws IOException {
    assertEquals(model, Texts.contents(store));
  }

  private DataFileOptions options() {
    return DataFileOptions.defaults()
        .withFileBytes(4096)
        .withBackground(Runnable::run)
        .withWriteWithin(Duration.ofHours(1))
        .withVacuum(VacuumOptions.defaults().withAutomatic(false))
        .withRandom(new Random(7 + files.callCount()))
        .withClock(() -> Instant.ofEpochMilli(nowMillis));
  }

  private DataFileStore open() throws IOException {
    return DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, options());
  }
}
