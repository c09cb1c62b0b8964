package dev.tailwater.store.datafile.read;

import dev.tailwater.store.StoreStatistics.SnapshotStatistics;
import dev.tailwater.store.common.OpenSnapshots;
import dev.tailwater.store.common.Unwinding;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The snapshots of an open store: takes them, and ends those that are left when it is closed. */
public final class Snapshots implements DataSnapshot.Home {
  private final Source source;
  private final ReadAccess access;
  private final InstantSource clock;
  private final Consumer<Throwable> failures;
  private final OpenSnapshots<DataSnapshot> open;

  /**
   * No snapshots yet.
   *
   * @param failures is told what went wrong where no caller can be told
   */
  public Snapshots(
      Source source, ReadAccess access, InstantSource clock, Consumer<Throwable> failures) {
    this.source = source;
    this.access = access;
    this.clock = clock;
    this.failures = failures;
    this.open = new OpenSnapshots<>(clock, DataSnapshot::takenAtMillis);
  }

  /** Captures what readers see at one moment. */
  @FunctionalInterface
  public interface Source {
    /** Returns what readers see now, for as long as it is held. */
    DataSnapshot capture(Snapshots home, long nowMillis);
  }

  /** Takes a snapshot of this moment. */
  public DataSnapshot take() {
    int inside = access.gate().enter();
    try {
      DataSnapshot taken = source.capture(this, clock.millis());
      open.add(taken);
      return taken;
    } finally {
      access.gate().exit(inside);
    }
  }

  @Override
  public <T> T reading(DataSnapshot.Reading<T> reading) throws IOException {
    int inside = access.gate().enter();
    ReadBuffer buffer = access.buffers().take();
    try {
      return reading.read(buffer);
    } finally {
      access.buffers().giveBack(buffer);
      access.gate().exit(inside);
    }
  }

  @Override
  public @Nullable RuntimeException whyClosed() {
    return access.gate().whyClosed();
  }

  @Override
  public void free(DataSnapshot snapshot) {
    int inside = access.gate().tryEnter();
    if (inside < 0) {
      return; // the closing of the store frees it
    }
    try {
      open.remove(snapshot);
      snapshot.free();
    } catch (IOException failed) {
      failures.accept(failed);
    } finally {
      access.gate().exit(inside);
    }
  }

  /** Returns how many snapshots are open, and since when. */
  public SnapshotStatistics statistics() {
    return open.statistics();
  }

  /** Frees the snapshots that were not closed. The gate is closed, so nobody reads any more. */
  public void endAll() throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      for (DataSnapshot snapshot : open.all()) {
        unwinding.add(snapshot::freeFiles);
      }
    }
  }
}
