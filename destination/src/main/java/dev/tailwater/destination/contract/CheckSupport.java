package dev.tailwater.destination.contract;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Helper methods of the checks. */
final class CheckSupport {
  /** More than the longest object of the checks. */
  private static final int MAX_READ_BYTES = 64 << 20;

  private CheckSupport() {}

  /** Returns bytes that depend only on the seed and the length, and do not repeat. */
  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static PutResult put(Destination place, String key, byte[] content) throws IOException {
    return place.putSegment(key, ByteBuffer.wrap(content));
  }

  static void putNew(Destination place, String key, byte[] content)
      throws IOException, ContractViolationException {
    Expect.equal(PutResult.CREATED, put(place, key, content), "the put of " + key);
  }

  static byte[] readAll(Destination place, String key) throws IOException {
    return read(place, key, 0, Long.MAX_VALUE);
  }

  static byte[] read(Destination place, String key, long offset, long length) throws IOException {
    try (InputStream stream = place.read(key, offset, length)) {
      return stream.readNBytes(MAX_READ_BYTES); // the stream of a faulty destination may never end
    }
  }

  /** Returns all keys with a prefix, read in pages of the given size. */
  static List<String> keys(Destination place, String prefix, Optional<String> after, int pageSize)
      throws IOException, ContractViolationException {
    List<String> keys = new ArrayList<>();
    Set<String> lastKeys = new HashSet<>();
    Optional<String> next = after;
    boolean more = true;
    while (more) {
      Listing page = place.list(prefix, next, pageSize);
      Expect.isTrue(
          page.entries().size() <= pageSize,
          "a page of at most " + pageSize + " entries has " + page.entries().size());
      page.entries().stream().map(Entry::key).forEach(keys::add);
      next = page.nextAfter();
      more = next.isPresent();
      // Otherwise a list that goes back would never end.
      Expect.isTrue(
          !more || lastKeys.add(next.get()), "two pages of a list end at " + next.orElse(""));
    }
    return keys;
  }

  static List<String> keys(Destination place, String prefix)
      throws IOException, ContractViolationException {
    return keys(place, prefix, Optional.empty(), 1000);
  }

  /** Runs tasks at the same time, started together; returns their results in order. */
  static <T> List<T> together(int count, IntFunction<Callable<T>> tasks) throws Exception {
    CountDownLatch ready = new CountDownLatch(count);
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Callable<T> task = tasks.apply(i);
        futures.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      // Rethrow the failure of the task itself, as if there were one thread.
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
