package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.damage.StoreCheck.CheckedFile;
import dev.tailwater.store.damage.StoreCheck.Role;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreToolTest {
  private final SimulatedFileSystem files = new SimulatedFileSystem();
  private final StoreTool tool = new StoreTool(files.calls(), SimulatedFileSystem.STORE);

  @Test
  void givesValuesNumbersAndPrefixes() throws IOException {
    fill(3, StoreOptions.defaults());
    assertArrayEquals(Texts.bytes("v1"), tool.get(Texts.bytes("k1")).orElseThrow());
    assertEquals(Optional.empty(), tool.get(Texts.bytes("k")));
    assertEquals(Map.of("k0", "v0", "k1", "v1", "k2", "v2"), Texts.contents(tool));
    StoreSummary summary = tool.stats();
    assertEquals(3, summary.keys());
    assertEquals(3 * (9 + 4), summary.liveBytes());
    assertEquals(files.content("log-0000000000000000001").length, summary.logBytes());
    assertEquals(0, summary.snapshotBytes());
    assertTrue(summary.sealed());
    assertEquals(0, summary.tornBytes());
  }

  @Test
  void changesNothing() throws IOException {
    fill(3, StoreOptions.defaults());
    files.replace("snapshot-0000000000000000007.tmp", new byte[5]);
    byte[] log = files.content("log-0000000000000000001");
    files.replace("log-0000000000000000001", Arrays.copyOf(log, log.length + 5));
    List<String> names = files.names();
    long writes = files.callsOf("pwrite") + files.callsOf("truncate") + files.callsOf("unlink");
    assertEquals(5, tool.stats().tornBytes());
    assertEquals(3, Texts.contents(tool).size());
    StoreCheck verification = tool.verify();
    assertTrue(verification.isWhole());
    assertEquals(
        List.of(Role.LOG, Role.UNFINISHED),
        verification.files().stream().map(CheckedFile::role).toList());
    assertEquals(5, verification.files().getFirst().tornBytes());
    assertEquals(names, files.names());
    assertEquals(
        writes, files.callsOf("pwrite") + files.callsOf("truncate") + files.callsOf("unlink"));
  }

  @Test
  void verifiesEveryFileAlsoBehindTheFirstDamage() throws IOException {
    StoreOptions never =
        StoreOptions.defaults()
            .withCompactAboveBytes(0)
            .withCompactor(
                task -> {
                  throw new RejectedExecutionException("not now");
                });
    for (int i = 0; i < 3; i++) {
      fill(4, never);
    }
    List<String> logs = files.names().stream().filter(name -> name.startsWith("log")).toList();
    assertTrue(logs.size() >= 3, logs.toString());
    for (String log : List.of(logs.getFirst(), logs.get(1))) {
      byte[] content = files.content(log);
      content[FileHeader.LENGTH_BYTES + 3] ^= 1;
      files.replace(log, content);
    }
    StoreCheck verification = tool.verify();
    assertFalse(verification.isWhole());
    assertEquals(
        IntStream.range(0, logs.size()).mapToObj(i -> i < 2).toList(),
        verification.files().stream().map(file -> !file.damages().isEmpty()).toList());
    assertEquals(
        FileHeader.LENGTH_BYTES,
        verification.files().getFirst().damages().getFirst().offsetBytes());
    assertThrows(DamagedStoreException.class, tool::stats);
  }

  @Test
  void refusesAStoreThatIsOpen() throws IOException {
    try (KeyValueStore store = open(StoreOptions.defaults())) {
      store.put(Texts.bytes("a"), Texts.bytes("1"));
      assertThrows(StoreLockedException.class, tool::verify);
      assertThrows(StoreLockedException.class, () -> tool.get(Texts.bytes("a")));
    }
    assertTrue(tool.verify().isWhole());
  }

  @Test
  void letsSomebodyOpenTheStoreWhileItReadsAndSaysSoInsteadOfAResult() throws IOException {
    fill(1, StoreOptions.defaults());
    List<KeyValueStore> opened = new ArrayList<>();
    // The length of the log is asked for when the lock has been looked at.
    files.faults(
        method -> {
          if (method.equals("fstat") && opened.isEmpty()) {
            files.faults(called -> Optional.empty());
            opened.add(openUnchecked());
          }
          return Optional.empty();
        });
    assertThrows(StoreLockedException.class, tool::stats);
    opened.getFirst().close();
    assertEquals(1, tool.stats().keys());
  }

  @Test
  void saysThatThereIsNoStore() {
    StoreUnavailableException missing = assertThrows(StoreUnavailableException.class, tool::stats);
    assertTrue(missing.hint().contains("no such store"), missing.hint());
  }

  private KeyValueStore openUnchecked() {
    try {
      return open(StoreOptions.defaults());
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private void fill(int keys, StoreOptions options) throws IOException {
    try (KeyValueStore store = open(options)) {
      for (int i = 0; i < keys; i++) {
        store.put(Texts.bytes("k" + i), Texts.bytes("v" + i));
      }
    }
  }

  private KeyValueStore open(StoreOptions options) throws IOException {
    return TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options);
  }
}
