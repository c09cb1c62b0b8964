package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/**
 * The removal of objects, several at the same time. After one that could not be removed it leaves
 * the others: if one is not permitted the others are not either, and if the destination is away,
 * waiting for each would take too long. For one thread.
 */
final class ObjectRemoval {
  private static final int AT_ONCE = 8;
  private static final int PAGE_ENTRIES = 1000;
  private static final int ROUNDS = 3;
  private static final int MOST_KEYS = 100_000;

  private final Destination root;
  private volatile Optional<Exception> failed = Optional.empty();

  ObjectRemoval(Destination root) {
    this.root = root;
  }

  /** Returns why something could not be removed. */
  Optional<String> failure() {
    return failed.map(e -> String.valueOf(e.getMessage()));
  }

  /** Removes objects, and takes their keys out of the set. */
  void remove(Set<String> keys, Predicate<String> which) {
    if (failed.isPresent()) {
      if (failed.get() instanceof PermanentDestinationException) {
        return;
      }
      // The destination was away, and may be back.
      failed = Optional.empty();
    }
    List<String> chosen = keys.stream().filter(which).toList();
    keys.removeAll(removed(chosen));
  }

  private Collection<String> removed(List<String> keys) {
    List<String> removed = new ArrayList<>();
    Semaphore slots = new Semaphore(AT_ONCE);
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      for (String key : keys) {
        slots.acquireUninterruptibly();
        if (failed.isPresent()) {
          break;
        }
        threads.execute(
            () -> {
              try {
                if (isRemoved(key)) {
                  synchronized (removed) {
                    removed.add(key);
                  }
                }
              } finally {
                slots.release();
              }
            });
      }
    }
    return removed;
  }

  /** Keeps the first failure, which is the one that is reported. */
  private synchronized void fail(Exception e) {
    if (failed.isEmpty()) {
      failed = Optional.of(e);
    }
  }

  private boolean isRemoved(String key) {
    try {
      ProbeRetry.of(
          () -> {
            root.delete(key);
            return key;
          });
      return true;
    } catch (Exception e) {
      fail(e);
      return false;
    }
  }

  /**
   * Removes what is listed below the folder, such as objects that the destination itself put there.
   *
   * @return what stays, as the destination lists it
   * @throws Exception it cannot be listed
   */
  List<String> removeListed(String folder) throws Exception {
    List<String> seen = listed(folder);
    for (int round = 0; round < ROUNDS && !seen.isEmpty() && failed.isEmpty(); round++) {
      removed(seen);
      seen = listed(folder);
    }
    return seen;
  }

  private List<String> listed(String folder) throws Exception {
    List<String> keys = new ArrayList<>();
    int seen = 0;
    Optional<String> after = Optional.empty();
    do {
      Optional<String> from = after;
      Listing page = ProbeRetry.of(() -> root.list(folder + "/", from, PAGE_ENTRIES));
      // A faulty destination may list objects outside of the folder, such as an archive.
      page.entries().stream()
          .map(Entry::key)
          .filter(key -> key.startsWith(folder + "/"))
          .forEach(keys::add);
      seen += page.entries().size();
      after = page.nextAfter();
      // A faulty destination may list without end.
    } while (after.isPresent() && seen < MOST_KEYS);
    return keys.stream().distinct().toList();
  }
}
