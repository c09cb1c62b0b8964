package dev.tailwater.store.datafile.read;

import dev.tailwater.store.StoreStatistics.SnapshotStatistics;
import dev.tailwater.store.datafile.StoreParts;
import dev.tailwater.store.files.OpenSnapshots;
import dev.tailwater.store.files.Unwinding;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Takes snapshots of an open store, and ends those that are left when it is closed. */
public final class Snapshots {
  private final StoreParts parts;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final InstantSource clock;
  private final OpenSnapshots<DataSnapshot> open;

  public Snapshots(StoreParts parts, ReaderGate gate, ReadBufferPool buffers, InstantSource clock) {
    this.parts = parts;
    this.gate = gate;
    this.buffers = buffers;
    this.clock = clock;
    this.open = new OpenSnapshots<>(clock, DataSnapshot::takenAtMillis);
  }

  public DataSnapshot take() {
    int inside = gate.enter();
    try {
      long now = clock.millis();
      // What is seen changes only under the append lock, so this is one moment.
      DataSnapshot taken = parts.writer().undisturbed(() -> parts.snapshot(this, now));
      open.add(taken);
      return taken;
    } finally {
      gate.exit(inside);
    }
  }

  /** Reads from memory and files that are there until the end of the call. */
  @FunctionalInterface
  interface Reading<T> {
    T read(ReadBuffer buffer) throws IOException;
  }

  /** Keeps the store from being closed while this reads. */
  <T> T reading(Reading<T> reading) throws IOException {
    int inside = gate.enter();
    ReadBuffer buffer = buffers.take();
    try {
      return reading.read(buffer);
    } finally {
      buffers.giveBack(buffer);
      gate.exit(inside);
    }
  }

  /** What to throw when the store is closed; null while it is open. */
  public @Nullable RuntimeException whyClosed() {
    return gate.whyClosed();
  }

  /** Nobody uses this one any more. */
  void free(DataSnapshot snapshot) {
    int inside = gate.tryEnter();
    if (inside < 0) {
      return; // the closing of the store frees it
    }
    try {
      open.remove(snapshot);
      snapshot.free();
    } catch (IOException failed) {
      parts.background().failed(failed);
    } finally {
      gate.exit(inside);
    }
  }

  public SnapshotStatistics statistics() {
    return open.statistics();
  }

  /** Frees what was not closed. The gate is closed, and nobody reads any more. */
  public void endAll() throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      for (DataSnapshot snapshot : open.all()) {
        unwinding.add(snapshot::freeFiles);
      }
    }
  }
}
