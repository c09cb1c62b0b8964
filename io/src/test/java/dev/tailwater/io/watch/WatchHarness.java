package dev.tailwater.io.watch;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** A watch, the set of names that follows from its changes, and waiting for what is to come. */
final class WatchHarness implements AutoCloseable {
  static final long DEADLINE_NANOS = 20_000_000_000L;

  /** So slow that only notification can be what found a change. */
  static final WatchOptions NOTIFIED_ONLY =
      WatchOptions.defaults()
          .withReconcileMillis(3_600_000)
          .withPollMillis(3_600_000)
          .withTickMillis(10);

  private final DirectoryWatch watch;
  final List<WatchChange> changes = new ArrayList<>();
  final Set<PosixPath> known = new TreeSet<>();

  WatchHarness(FileCalls calls, WatchOptions options, Path... roots) throws IOException {
    List<PosixPath> paths = new ArrayList<>();
    for (Path root : roots) {
      paths.add(PosixPath.of(root));
    }
    watch = DirectoryWatch.open(calls, paths, options, System::nanoTime);
    do {
      next(0);
    } while (watch.isScanning());
  }

  DirectoryWatch watch() {
    return watch;
  }

  /** One poll, checked for being followable. */
  List<WatchChange> next(int timeoutMillis) throws IOException {
    List<WatchChange> batch = watch.poll(timeoutMillis);
    batch.forEach(this::follow);
    changes.addAll(batch);
    return batch;
  }

  private void follow(WatchChange change) {
    switch (change) {
      case WatchChange.Appeared appeared -> known.add(appeared.path());
      case WatchChange.Modified modified -> require(known.contains(modified.path()), change);
      case WatchChange.Renamed renamed -> {
        require(known.remove(renamed.from()), change);
        require(known.add(renamed.path()), change);
      }
      case WatchChange.Disappeared gone -> require(known.remove(gone.path()), change);
      case WatchChange.Missed _,
          WatchChange.WrittenElsewhere _,
          WatchChange.Unobservable _,
          WatchChange.Observable _,
          WatchChange.Overfull _,
          WatchChange.NotOverfull _,
          WatchChange.Degraded _ -> {}
    }
  }

  private void require(boolean condition, WatchChange change) {
    if (!condition) {
      throw new AssertionError(change + " cannot follow " + changes + " with " + known);
    }
  }

  /** Polls until the condition holds; fails with all changes at the deadline. */
  void until(BooleanSupplier condition) throws IOException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > DEADLINE_NANOS) {
        throw new AssertionError(
            "not within the deadline; known: " + known + "; changes: " + changes);
      }
      next(50);
    }
  }

  void untilReported(WatchChange change) throws IOException {
    until(() -> changes.contains(change));
  }

  /** Polls until nothing comes any more for a while. */
  void untilQuiet() throws IOException {
    int quiet = 0;
    while (quiet < 2) {
      quiet = next(100).isEmpty() ? quiet + 1 : 0;
    }
  }

  void forgetChanges() {
    changes.clear();
  }

  @Override
  public void close() throws IOException {
    watch.close();
  }
}
