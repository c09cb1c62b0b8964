package dev.tailwater.store.datafile.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What closing means to those who close at the same time, or whose executor takes nothing. */
class ClosingTest {
  private final SimulatedFileSystem files = new SimulatedFileSystem();

  @ParameterizedTest
  @EnumSource
  void letsASecondClosingWaitUntilTheFirstHasReleasedTheDirectory(StoreMode mode) throws Exception {
    KeyValueStore store = open(mode);
    store.put(Texts.bytes("a"), Texts.bytes("1"));
    Semaphore maySync = new Semaphore(0);
    Semaphore syncs = new Semaphore(0);
    files.beforeSync(
        () -> {
          syncs.release();
          maySync.acquireUninterruptibly();
        });
    Thread first = Thread.ofPlatform().start(() -> close(store));
    syncs.acquire();
    Thread second = Thread.ofPlatform().start(() -> close(store));
    Eventually.until(
        () ->
            second.getState() == Thread.State.WAITING
                || second.getState() == Thread.State.TERMINATED,
        () -> second + " is " + second.getState());
    assertEquals(Thread.State.WAITING, second.getState(), "the first holds the lock still");
    maySync.release(1_000_000);
    second.join();
    try (KeyValueStore again = open(mode)) {
      assertEquals(Map.of("a", "1"), Texts.contents(again));
    }
    first.join();
  }

  @Test
  void goesOnAndClosesWhenNoThreadCanBeMadeForACompaction() throws Exception {
    StoreOptions options =
        StoreOptions.defaults()
            .withCompactAboveBytes(100)
            .withCompactor(
                task -> {
                  throw new OutOfMemoryError("unable to create native thread");
                });
    try (TransactionLogStore store =
        TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options)) {
      for (int i = 0; i < 20; i++) {
        store.put(Texts.bytes("a"), Texts.bytes("value" + i));
      }
      assertEquals("value19", Texts.contents(store).get("a"));
      assertEquals(0, store.statistics().compactions());
    }
  }

  private KeyValueStore open(StoreMode mode) throws IOException {
    return switch (mode) {
      case LOG ->
          TransactionLogStore.open(
              files.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults());
      case DATA ->
          DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, DataFileOptions.defaults());
    };
  }

  private static void close(KeyValueStore store) {
    try {
      store.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
