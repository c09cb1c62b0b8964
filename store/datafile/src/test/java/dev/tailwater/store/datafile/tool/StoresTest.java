package dev.tailwater.store.datafile.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores named by a path alone. */
class StoresTest {
  private static final byte[] KEY = {1};

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void opensWhatADirectoryHolds(StoreMode mode) throws IOException {
    Path path = directory.resolve("store");
    assertEquals(Optional.empty(), StoreMode.of(path));
    try (KeyValueStore store = Stores.open(path, mode)) {
      store.put(KEY, KEY);
    }
    assertEquals(Optional.of(mode), StoreMode.of(path));
    try (KeyValueStore store = Stores.open(path)) {
      Class<?> expected = mode == StoreMode.DATA ? DataFileStore.class : TransactionLogStore.class;
      assertEquals(expected, store.getClass());
      assertArrayEquals(KEY, store.get(KEY).orElseThrow());
    }
    ClosedStore closed = Stores.closed(path);
    assertEquals(mode, closed.mode());
    assertEquals(1, closed.overview().keys());
    assertArrayEquals(KEY, closed.find(KEY).orElseThrow().value());
    assertTrue(closed.verify(DamageListener.none()).isWhole());
  }

  @Test
  void opensEachModeByItself() throws IOException {
    try (KeyValueStore store = DataFileStore.open(directory.resolve("data"))) {
      store.put(KEY, KEY);
    }
    try (KeyValueStore store = TransactionLogStore.open(directory.resolve("log"))) {
      store.put(KEY, KEY);
    }
    assertEquals(Optional.of(StoreMode.DATA), StoreMode.of(directory.resolve("data")));
    assertEquals(Optional.of(StoreMode.LOG), StoreMode.of(directory.resolve("log")));
  }

  @Test
  void saysThatThereIsNoStore() {
    assertThrows(StoreUnavailableException.class, () -> Stores.closed(directory.resolve("none")));
  }
}
