package dev.tailwater.store.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store on the real file system. */
class TransactionLogStoreTest {
  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path temporary;

  @Test
  void givesBackWhatWasPutAfterReopening() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(bytes("a"), bytes("1"));
      store.put(bytes("b"), bytes("2"));
      store.put(bytes("a"), bytes("3"));
      store.remove(bytes("b"));
      store.put(new byte[0], new byte[0]);
      assertEquals(Optional.of("3"), text(store, "a"));
    }
    try (KeyValueStore store = open()) {
      assertEquals(Optional.of("3"), text(store, "a"));
      assertEquals(Optional.empty(), text(store, "b"));
      assertEquals(Optional.of(""), text(store, ""));
      assertEquals(2, store.statistics().keys());
    }
  }

  @Test
  void keepsTheLongestKeyAndValueAndRefusesLongerOnes() throws IOException {
    byte[] key = new byte[KeyValueStore.MAX_KEY_BYTES];
    byte[] value = new byte[KeyValueStore.MAX_VALUE_BYTES];
    value[value.length - 1] = 7;
    try (KeyValueStore store = open()) {
      store.put(key, value);
      assertThrows(
          IllegalArgumentException.class, () -> store.put(new byte[key.length + 1], new byte[0]));
      assertThrows(
          IllegalArgumentException.class, () -> store.put(new byte[0], new byte[value.length + 1]));
    }
    try (KeyValueStore store = open()) {
      assertArrayEquals(value, store.get(key).orElseThrow());
    }
  }

  @Test
  void visitsKeysOfAPrefixInUnsignedOrderAsOfOneMoment() throws IOException {
    try (KeyValueStore store = open()) {
      for (String key : List.of("b/2", "a", "b/\u00ff", "b", "b/1", "c", "b0")) {
        store.put(bytes(key), bytes(key));
      }
      List<String> seen = new ArrayList<>();
      store.forEach(
          bytes("b/"),
          (key, value) -> {
            seen.add(new String(key, UTF_8));
            try {
              store.put(bytes("b/9" + seen.size()), bytes("new"));
            } catch (IOException failed) {
              throw new AssertionError(failed);
            }
          });
      assertEquals(List.of("b/1", "b/2", "b/\u00ff"), seen);
    }
  }

  @Test
  void compactsALongLogAndDropsTheOldFiles() throws IOException {
    StoreOptions options = StoreOptions.defaults().withCompactAboveBytes(4096);
    try (KeyValueStore store = TransactionLogStore.open(calls, directory(), options)) {
      for (int i = 0; i < 500; i++) {
        store.put(bytes("key" + i % 7), new byte[100]);
      }
    }
    try (KeyValueStore store = TransactionLogStore.open(calls, directory(), options)) {
      assertEquals(7, store.statistics().keys());
      assertTrue(store.statistics().snapshotBytes() > 0);
      assertTrue(store.statistics().logBytes() < 20_000, store.statistics().toString());
    }
    try (var files = Files.list(temporary.resolve("store"))) {
      assertTrue(files.count() <= 5);
    }
  }

  @Test
  void namesTheHolderOfALockedStore() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(bytes("a"), bytes("1"));
      StoreLockedException locked = assertThrows(StoreLockedException.class, this::open);
      assertEquals(OptionalLong.of(ProcessHandle.current().pid()), locked.holderPid());
    }
    open().close();
  }

  @Test
  void refusesEverythingOnceClosedAndClosesTwice() throws IOException {
    KeyValueStore store = open();
    store.close();
    store.close();
    assertThrows(IllegalStateException.class, () -> store.get(bytes("a")));
    assertThrows(IllegalStateException.class, () -> store.put(bytes("a"), bytes("b")));
    assertThrows(IllegalStateException.class, store::statistics);
  }

  private KeyValueStore open() throws IOException {
    return TransactionLogStore.open(calls, directory(), StoreOptions.defaults());
  }

  private PosixPath directory() {
    return PosixPath.of(temporary.resolve("store"));
  }

  private static Optional<String> text(KeyValueStore store, String key) throws IOException {
    return store.get(bytes(key)).map(value -> new String(value, UTF_8));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
