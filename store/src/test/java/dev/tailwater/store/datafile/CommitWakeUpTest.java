package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Whether each of many writers is told that its write is durable. Syncs that take no time make the
 * outcome come while a writer still waits for the committer's lock, which once used up the wake-up.
 */
class CommitWakeUpTest {
  private static final int WRITERS = 8;
  private static final int PUTS = 4000;

  @Test
  void everyWriterIsToldHoweverShortASyncIs() throws Exception {
    try (KeyValueStore store =
            DataFileStore.open(
                new SimulatedFileSystem().calls(),
                SimulatedFileSystem.STORE,
                DataFileOptions.defaults());
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        byte[] key = Texts.bytes("writer " + writer);
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < PUTS; i++) {
                    store.put(key, Texts.bytes("" + i));
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get(2, TimeUnit.MINUTES);
      }
      assertEquals(WRITERS, store.statistics().keys());
    }
  }
}
