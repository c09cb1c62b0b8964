package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.write.CommitTimersTest;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What is older than the period survives a power loss: a sync that nobody asks for comes, and it
 * covers all that was acknowledged before it began. That it comes in time is in {@link
 * CommitTimersTest}, with a clock of its own.
 */
class PeriodicDurabilityTest {
  private static final WriteOptions PERIODIC =
      WriteOptions.defaults().withDurability(Durability.periodic(Duration.ofMillis(2)));
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withFileBytes(16 * 1024)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1));

  private SimulatedFileSystem files = new SimulatedFileSystem();

  @Test
  void aLonelyWriteIsDurableWithoutAnyOtherCall() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      files = new SimulatedFileSystem();
      KeyValueStore store = open();
      long syncs = files.callsOf("fdatasync");
      switch (seed % 3) {
        case 0 -> store.put(Texts.bytes("a"), Texts.bytes("1"), PERIODIC);
        case 1 -> store.append(Texts.bytes("a"), Texts.bytes("1"), PERIODIC);
        default -> store.putAll(List.of(BulkPut.of(Texts.bytes("a"), Texts.bytes("1"))), PERIODIC);
      }
      Eventually.until(() -> files.callsOf("fdatasync") > syncs, () -> "no sync came");
      files.losePower(new Random(seed));
      assertEquals(Map.of("a", "1"), contents(), "seed " + seed);
    }
  }

  @Test
  void whatWasAcknowledgedBeforeASyncBeganSurvivesThePowerLossAfterIt() throws IOException {
    for (int seed = 0; seed < 30; seed++) {
      files = new SimulatedFileSystem();
      AtomicInteger acknowledged = new AtomicInteger();
      AtomicInteger synced = new AtomicInteger();
      AtomicInteger began = new AtomicInteger();
      AtomicInteger syncs = new AtomicInteger();
      KeyValueStore store = open();
      files.beforeSync(
          () -> {
            synced.set(began.get()); // the one before has ended, or this one could not begin
            began.set(acknowledged.get());
            syncs.incrementAndGet();
          });
      for (int i = 0; i < 300; i++) {
        int before = syncs.get();
        store.put(Texts.bytes("key" + i), Texts.bytes("value" + i), PERIODIC);
        acknowledged.set(i + 1);
        if (i % 50 == 0) { // now and then, let time pass
          // The sync of this write may begin before it is acknowledged here; then no other comes.
          Eventually.until(() -> syncs.get() > before, () -> "no sync came");
        }
      }
      int durable = synced.get();
      assertTrue(durable > 0, "seed " + seed);
      files.losePower(new Random(seed));
      Map<String, String> found = contents();
      assertTrue(found.size() >= durable, found.size() + " of " + durable + ", seed " + seed);
      for (int i = 0; i < found.size(); i++) {
        assertEquals("value" + i, found.get("key" + i), "a prefix of the writes, seed " + seed);
      }
    }
  }

  private KeyValueStore open() throws IOException {
    return DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, OPTIONS);
  }

  private Map<String, String> contents() throws IOException {
    try (KeyValueStore store = open()) {
      return Texts.contents(store);
    }
  }
}
