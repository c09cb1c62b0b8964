package dev.tailwater.lab.store;

import dev.tailwater.lab.measure.ChildJvm;
import dev.tailwater.lab.measure.ClosedLoop;
import dev.tailwater.lab.measure.DiskQueue;
import dev.tailwater.lab.measure.PageCaches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A store that is open in a process of its own and measured repeatedly. */
final class StoreTrial implements AutoCloseable {
  private final ChildJvm child;
  private final Path directory;
  private final StorePlan plan;

  private StoreTrial(ChildJvm child, Path directory, StorePlan plan) {
    this.child = child;
    this.directory = directory;
    this.plan = plan;
  }

  static StoreTrial open(StoreVariant variant, Path experiment, StorePlan plan) throws IOException {
    StoreChildCommand command = new StoreChildCommand(variant, plan);
    return new StoreTrial(
        ChildJvm.start(
            "the JVM with the store, " + variant,
            List.of(),
            command.jvmOptions(),
            StoreChild.class,
            command.arguments(experiment)),
        variant.directory(experiment),
        plan);
  }

  /**
   * Returns eight quantities, in this order. First the gets per second: hot, in the first tenth of
   * a second after an eviction, and warmed again. Then the largest part of the files that an
   * eviction left in the page cache. Then, in the first tenth of a second after an eviction, the
   * keys per second and the mean number of requests in progress at the disk, with one key at a time
   * and with many. NaN if the file system is not on a single disk.
   */
  double[] measure() throws IOException {
    child.ask("cache");
    double hot = gets();
    double resident = evict();
    double evicted = child.ask("get", StorePlan.THREADS, StorePlan.EVICTED_MILLIS)[0];
    child.ask("cache");
    double warmed = gets();
    resident = Math.max(resident, evict());
    double[] one = evictedKeys(1);
    resident = Math.max(resident, evict());
    double[] many = evictedKeys(StorePlan.KEYS_AT_A_TIME);
    return new double[] {hot, evicted, warmed, resident, one[0], one[1], many[0], many[1]};
  }

  private double gets() throws IOException {
    return ClosedLoop.mean(child.ask("get", StorePlan.THREADS, plan.millis()));
  }

  /** Returns the part that is still in the page cache, from 0 to 1. */
  private double evict() throws IOException {
    PageCaches.advise(directory);
    return PageCaches.residentShare(directory);
  }

  private double[] evictedKeys(int keysAtATime) throws IOException {
    Optional<DiskQueue> queue = DiskQueue.of(directory);
    double keys = child.ask("getall", StorePlan.EVICTED_MILLIS, keysAtATime)[0];
    return new double[] {keys, queue.isPresent() ? queue.get().depth() : Double.NaN};
  }

  @Override
  public void close() {
    child.close();
  }
}
