package dev.tailwater.delivery.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The fronts of durable packs that no manifest repeats yet. It is empty at the start of a run: what
 * an earlier one did not list, readers open, until somebody compacts the archive. Thread-safe.
 */
final class UnlistedPacks {
  /** How many packs make a manifest. */
  static final int FULL_PACKS = 16;

  /** As many bytes make one as well. */
  static final int FULL_BYTES = 4 << 20;

  @GuardedBy("this")
  private final List<PackFront> fronts = new ArrayList<>();

  @GuardedBy("this")
  private long heldBytes;

  /** Adds a pack; returns whether a manifest is to be written now. */
  synchronized boolean add(PackFront front) {
    fronts.add(front);
    heldBytes += ManifestFormat.lengthBytes(front);
    // Writing does not keep up, or must wait: readers open the first ones.
    while (heldBytes > 2L * FULL_BYTES && fronts.size() > 1) {
      heldBytes -= ManifestFormat.lengthBytes(fronts.removeFirst());
    }
    return isFull();
  }

  synchronized boolean isFull() {
    return fronts.size() >= FULL_PACKS || heldBytes >= FULL_BYTES;
  }

  synchronized boolean isEmpty() {
    return fronts.isEmpty();
  }

  /** Returns all of them. */
  synchronized List<PackFront> all() {
    return List.copyOf(fronts);
  }

  /** Forgets packs that are in a manifest now. */
  synchronized void listed(Collection<PackFront> listed) {
    if (fronts.removeAll(listed)) {
      count();
    }
  }

  /** Forgets packs that were merged. */
  synchronized void merged(Collection<String> keys) {
    if (fronts.removeIf(front -> keys.contains(front.name().key()))) {
      count();
    }
  }

  @GuardedBy("this")
  private void count() {
    heldBytes = fronts.stream().mapToLong(ManifestFormat::lengthBytes).sum();
  }

  /** Returns how many bytes are held. */
  synchronized long heldBytes() {
    return heldBytes;
  }
}
