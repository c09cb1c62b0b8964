package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.AsyncKeyValueStore;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.NotANumberException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the calls of callers who do not wait do in every mode, on a real file system. */
public abstract class AsyncContract {
  private static final WriteOptions PLAIN = WriteOptions.defaults();

  @TempDir Path temporary;

  /** The store of the mode in this directory. */
  protected abstract KeyValueStore open(FileCalls calls, PosixPath directory, InstantSource clock)
      throws IOException;

  private KeyValueStore open() throws IOException {
    return open(
        LinuxFileCalls.create(), PosixPath.of(temporary.resolve("store")), InstantSource.system());
  }

  @Test
  void doesWhatTheOtherFormsDo() throws Exception {
    try (KeyValueStore store = open();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      AsyncKeyValueStore async = store.async(executor);
      long version = result(async.put(bytes("a"), bytes("1"), PLAIN));
      assertEquals(Optional.of("1"), result(async.get(bytes("a"))).map(Texts::text));
      assertEquals(version, result(async.find(bytes("a"))).orElseThrow().version());
      assertEquals(Optional.empty(), result(async.get(bytes("b"))));
      assertEquals(OptionalLong.empty(), result(async.putIfAbsent(bytes("a"), bytes("2"), PLAIN)));
      long second =
          result(async.compareAndSet(bytes("a"), version, bytes("2"), PLAIN)).orElseThrow();
      assertTrue(second > version);
      assertEquals(5, result(async.increment(bytes("n"), 5, PLAIN)));
      result(async.append(bytes("a"), bytes("x"), PLAIN));
      assertFalse(result(async.compareAndRemove(bytes("a"), second, PLAIN)));
      result(async.apply(new WriteBatch().put(bytes("c"), bytes("3")).remove(bytes("n")), PLAIN));
      result(async.putAll(List.of(BulkPut.of(bytes("d"), bytes("4"))), PLAIN));
      assertTrue(result(async.remove(bytes("d"), PLAIN)));
      assertFalse(result(async.remove(bytes("d"), PLAIN)));
      assertEquals(
          List.of("2x", "3"),
          result(async.getAll(List.of(bytes("a"), bytes("c")))).stream()
              .map(value -> Texts.text(value.orElseThrow()))
              .toList());
      assertEquals(0, result(async.purgeExpired(10)));
      assertEquals(Map.of("a", "2x", "c", "3"), Texts.contents(store));
    }
  }

  @Test
  void manyWritesAreUnderWayAtOnceAndNoneIsLost() throws Exception {
    try (KeyValueStore store = open();
        ExecutorService executor = Executors.newFixedThreadPool(2)) {
      AsyncKeyValueStore async = store.async(executor);
      List<CompletionStage<Long>> sums = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        sums.add(async.increment(bytes("n"), 1, PLAIN));
      }
      long highest = 0;
      for (CompletionStage<Long> sum : sums) {
        highest = Math.max(highest, result(sum));
      }
      assertEquals(200, highest);
    }
    try (KeyValueStore store = open()) {
      assertEquals(Optional.of("200"), store.get(bytes("n")).map(Texts::text));
    }
  }

  @Test
  void completesWithWhatTheOtherFormThrows() throws Exception {
    try (KeyValueStore store = open();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      AsyncKeyValueStore async = store.async(executor);
      byte[] tooLong = new byte[KeyValueStore.MAX_KEY_BYTES + 1];
      assertInstanceOf(
          IllegalArgumentException.class, failure(async.put(tooLong, bytes("1"), PLAIN)));
      result(async.put(bytes("a"), bytes("no number"), PLAIN));
      assertInstanceOf(NotANumberException.class, failure(async.increment(bytes("a"), 1, PLAIN)));
    }
  }

  @Test
  void copiesArraysBeforeItReturnsAndMakesNoCallThatWasCancelled() throws Exception {
    try (KeyValueStore store = open()) {
      Queue<Runnable> later = new ArrayDeque<>();
      AsyncKeyValueStore async = store.async(later::add);
      byte[] key = bytes("a");
      byte[] value = bytes("1");
      CompletionStage<Long> put = async.put(key, value, PLAIN);
      key[0] = 'x';
      value[0] = 'x';
      CompletionStage<Long> cancelled = async.put(bytes("b"), bytes("2"), PLAIN);
      assertTrue(cancelled.toCompletableFuture().cancel(true));
      assertThrows(CancellationException.class, () -> result(cancelled));
      run(later, put);
      assertEquals(Map.of("a", "1"), Texts.contents(store));
    }
  }

  /** Runs what comes, until the stage is done. */
  private static void run(Queue<Runnable> later, CompletionStage<?> until) {
    Eventually.until(
        () -> {
          for (Runnable task = later.poll(); task != null; task = later.poll()) {
            task.run();
          }
          return until.toCompletableFuture().isDone();
        },
        () -> "the call is not done");
  }

  @Test
  void tellsOfARejectionAndOfAClosedStore() throws Exception {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    KeyValueStore store = open();
    AsyncKeyValueStore async = store.async(executor);
    List<CompletionStage<Long>> begun = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      begun.add(async.put(bytes("k" + i), bytes("" + i), PLAIN));
    }
    store.close();
    int made = 0;
    for (CompletionStage<Long> put : begun) {
      // Each was made, or says that the store was closed before.
      try {
        result(put);
        made++;
      } catch (ExecutionException failed) {
        assertInstanceOf(IllegalStateException.class, failed.getCause());
      }
    }
    assertInstanceOf(IllegalStateException.class, failure(async.get(bytes("k1"))));
    executor.shutdown();
    assertInstanceOf(
        RejectedExecutionException.class, failure(async.put(bytes("a"), bytes("1"), PLAIN)));
    try (KeyValueStore again = open()) {
      assertEquals(made, Texts.contents(again).size());
    }
  }

  private static <T> T result(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private static Throwable failure(CompletionStage<?> stage) {
    ExecutionException failed = assertThrows(ExecutionException.class, () -> result(stage));
    Throwable cause = failed.getCause();
    return cause == null ? failed : cause;
  }

  private static byte[] bytes(String text) {
    return Texts.bytes(text);
  }
}
