package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many writers at once. */
class GroupCommitTest {
  private static final int WRITERS = 32;

  private final SimulatedFileSystem files = new SimulatedFileSystem();

  @TempDir Path temporary;

  @Test
  void writesThatWaitForASyncShareTheNextOne() throws Exception {
    try (KeyValueStore store = open()) {
      Semaphore maySync = new Semaphore(0);
      files.beforeSync(maySync::acquireUninterruptibly);
      List<Thread> writers = startWriters(store);
      // All are parked: one in the group under way, or all in the queue behind it.
      for (Thread writer : writers) {
        Eventually.until(
            () -> writer.getState() == Thread.State.WAITING, () -> writer + " never waited");
      }
      assertEquals(Map.of(), Texts.contents(store), "nothing is seen before it is durable");
      maySync.release(1_000_000);
      for (Thread writer : writers) {
        writer.join();
      }
      StoreStatistics statistics = store.statistics();
      assertEquals(WRITERS, statistics.writes());
      assertTrue(statistics.commits() <= 3, statistics.toString());
      assertEquals(statistics.commits(), files.callsOf("fdatasync"));
      assertEquals(WRITERS, Texts.contents(store).size());
    }
  }

  @Test
  void tellsEveryWriterOfAGroupThatItsSyncFailed() throws Exception {
    KeyValueStore store = open();
    Semaphore maySync = new Semaphore(0);
    files.beforeSync(maySync::acquireUninterruptibly);
    files.faults(method -> method.equals("fdatasync") ? Optional.of(Errno.EIO) : Optional.empty());
    AtomicInteger told = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String key = "k" + i;
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    assertThrows(StoreFailedException.class, () -> put(store, key));
                    told.incrementAndGet();
                  }));
    }
    maySync.release(1_000_000);
    for (Thread writer : writers) {
      writer.join();
    }
    assertEquals(WRITERS, told.get());
    assertThrows(StoreFailedException.class, store::close);
  }

  @Test
  void keepsTheInterruptStatusOfAWriterAndMakesItsWriteDurable() throws Exception {
    try (KeyValueStore store = open()) {
      Thread.currentThread().interrupt();
      put(store, "a");
      assertTrue(Thread.interrupted());
      assertEquals(Map.of("a", "1"), Texts.contents(store));
    }
  }

  @Test
  void waitsInCloseForWritesAlreadyTaken() throws Exception {
    KeyValueStore store = open();
    Semaphore maySync = new Semaphore(0);
    files.beforeSync(maySync::acquireUninterruptibly);
    List<Thread> writers = startWriters(store);
    for (Thread writer : writers) {
      Eventually.until(
          () -> writer.getState() == Thread.State.WAITING, () -> writer + " never waited");
    }
    Thread closer = Thread.ofPlatform().start(() -> close(store));
    Eventually.until(() -> closer.getState() == Thread.State.WAITING, () -> "close did not wait");
    maySync.release(1_000_000);
    closer.join();
    for (Thread writer : writers) {
      writer.join();
    }
    try (KeyValueStore again = open()) {
      assertEquals(WRITERS, Texts.contents(again).size());
    }
  }

  @Test
  void writersGoOnWhileASnapshotIsWritten() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    try (ExecutorService background = Executors.newSingleThreadExecutor()) {
      StoreOptions options =
          StoreOptions.defaults()
              .withCompactAboveBytes(500)
              .withCompactor(
                  task ->
                      background.execute(
                          () -> {
                            begun.countDown();
                            awaitUninterruptibly(mayGoOn);
                            task.run();
                          }));
      try (KeyValueStore store =
          TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options)) {
        int written = 0;
        while (begun.getCount() > 0) {
          put(store, "k" + written++ % 5);
        }
        for (int i = 0; i < 100; i++) {
          store.put(Texts.bytes("k" + i % 5), Texts.bytes("during " + i));
        }
        assertEquals(0, store.statistics().compactions(), "the snapshot is still held up");
        mayGoOn.countDown();
        Eventually.until(
            () -> store.statistics().compactions() > 0, () -> store.statistics().toString());
      }
    }
    files.losePower(new Random(1));
    try (KeyValueStore store = open()) {
      assertEquals("during 99", Texts.contents(store).get("k4"));
      assertEquals(5, Texts.contents(store).size());
    }
  }

  @Test
  void losesNothingOfManyThreadsThatWriteWhileItCompactsOnARealDisk() throws Exception {
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    StoreOptions options = StoreOptions.defaults().withCompactAboveBytes(20_000);
    int writesEach = 60;
    try (KeyValueStore store =
            TransactionLogStore.open(LinuxFileCalls.create(), directory, options);
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String key = "w" + writer;
        running.add(
            writers.submit(
                () -> {
                  for (int i = 0; i < writesEach; i++) {
                    String value = i + " ".repeat(100);
                    store.put(Texts.bytes(key), Texts.bytes(value));
                    assertEquals(value, Texts.text(store.get(Texts.bytes(key)).orElseThrow()));
                  }
                  return null;
                }));
      }
      for (Future<?> done : running) {
        done.get();
      }
      StoreStatistics statistics = store.statistics();
      assertEquals((long) WRITERS * writesEach, statistics.writes());
      assertTrue(statistics.commits() < statistics.writes(), statistics.toString());
      assertTrue(statistics.compactions() > 0, statistics.toString());
      assertEquals(Optional.empty(), statistics.lastCompactionFailure());
    }
    StoreTool tool = new StoreTool(LinuxFileCalls.create(), directory);
    assertTrue(tool.verify().isWhole());
    Map<String, String> contents = Texts.contents(tool);
    assertEquals(WRITERS, contents.size());
    contents.values().forEach(value -> assertTrue(value.startsWith((writesEach - 1) + " ")));
  }

  private KeyValueStore open() throws IOException {
    return TransactionLogStore.open(
        files.calls(), SimulatedFileSystem.STORE, StoreOptions.defaults());
  }

  private static List<Thread> startWriters(KeyValueStore store) {
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String key = "k" + i;
      Runnable write = () -> put(store, key);
      writers.add(i % 2 == 0 ? Thread.ofVirtual().start(write) : Thread.ofPlatform().start(write));
    }
    return writers;
  }

  private static void put(KeyValueStore store, String key) {
    try {
      store.put(Texts.bytes(key), Texts.bytes("1"));
    } catch (IOException failed) {
      sneak(failed);
    }
  }

  private static void close(KeyValueStore store) {
    try {
      store.close();
    } catch (IOException failed) {
      sneak(failed);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak(Exception failed) throws E {
    throw (E) failed;
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
