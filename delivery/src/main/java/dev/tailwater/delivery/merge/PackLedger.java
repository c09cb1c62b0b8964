package dev.tailwater.delivery.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.PlainPack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The short packs at one destination that may be merged, with their plain bytes. It is empty at the
 * start of a run: what an earlier run left short stays so. Thread-safe.
 *
 * <p>Neighbouring packs of a group are merged as soon as they add up to a long one. Where packs
 * come too slowly for that, every {@value #FAN} become one, and every {@value #FAN} of those. What
 * is left of a group is merged when another one has begun. So no byte is written more than three
 * times.
 */
final class PackLedger {
  /** How many packs become one, if they are too short to be a long one together. */
  static final int FAN = 64;

  /** A pack of this length is long: merging it is not worth its bytes. */
  static final int LONG_BYTES = 1 << 20;

  /** Merging aims at this length, or at {@code merge_to} if that is less: it bounds the memory. */
  private static final int FULL_BYTES = 4 << 20;

  /** The same in raw bytes, which sorting passes over several times. */
  static final int FULL_RAW_BYTES = 32 << 20;

  /** The same in ranges, whose descriptions are in memory while packs are merged. */
  static final int FULL_RANGES = 40_000;

  private final LongSupplier mergeToBytes;

  /** The packs that wait, in their order. */
  @GuardedBy("this")
  private final List<ShortPack> packs = new ArrayList<>();

  @GuardedBy("this")
  private long heldBytes;

  /**
   * A pack that may be merged.
   *
   * @param name of its object
   * @param plain what it is without encryption
   * @param merges how often its bytes were merged
   */
  record ShortPack(PackName name, PlainPack plain, long rawBytes, int ranges, int merges) {
    boolean isBefore(ShortPack next) {
      PackId id = name.id();
      return id.group().equals(next.name.id().group()) && id.last() + 1 == next.name.id().first();
    }

    int heldBytes() {
      return plain.object().length;
    }
  }

  /**
   * Packs that are to be merged.
   *
   * @param isLast whether what comes of them is not merged again
   */
  record Plan(List<ShortPack> packs, boolean isLast) {
    Plan {
      packs = List.copyOf(packs);
    }

    /** Returns the numbers of the pack that comes of it. */
    PackId id() {
      return packs.getFirst().name().id().to(packs.getLast().name().id());
    }

    int merges() {
      return 1 + packs.stream().mapToInt(ShortPack::merges).max().orElse(0);
    }

    List<String> keys() {
      return packs.stream().map(pack -> pack.name().key()).toList();
    }
  }

  /**
   * Creates a ledger.
   *
   * @param mergeToBytes 0: nothing is merged
   */
  PackLedger(LongSupplier mergeToBytes) {
    this.mergeToBytes = mergeToBytes;
  }

  /** Returns whether packs are merged at all. */
  boolean isOn() {
    return mergeToBytes.getAsLong() > 0;
  }

  /** Adds a durable pack; returns whether something is to be merged now. */
  synchronized boolean add(ShortPack pack) {
    if (!isOn()) {
      return false;
    }
    packs.add(pack);
    heldBytes += pack.heldBytes();
    // Merging is not keeping up, in a drain for example: the first ones stay as they are.
    while (heldBytes > 2L * FULL_BYTES) {
      removeFirst(1);
    }
    return next().isPresent();
  }

  @GuardedBy("this")
  private void removeFirst(int count) {
    List<ShortPack> first = packs.subList(0, count);
    heldBytes -= first.stream().mapToLong(ShortPack::heldBytes).sum();
    first.clear();
  }

  /** Returns what is to be merged now, if anything. */
  synchronized Optional<Plan> next() {
    int from = 0;
    while (from < packs.size()) {
      int to = from + 1;
      while (to < packs.size() && packs.get(to - 1).isBefore(packs.get(to))) {
        to++;
      }
      boolean closed = to < packs.size();
      if (closed && to - from == 1) {
        heldBytes -= packs.remove(from).heldBytes(); // No neighbour will come.
        continue;
      }
      Optional<Plan> plan = next(packs.subList(from, to), closed);
      if (plan.isPresent()) {
        return plan;
      }
      from = to;
    }
    return Optional.empty();
  }

  private long fullBytes() {
    return Math.min(FULL_BYTES, mergeToBytes.getAsLong());
  }

  /** Looks at neighbouring packs; to those of a closed run, none will be added. */
  private Optional<Plan> next(List<ShortPack> run, boolean closed) {
    long bytes = 0;
    long rawBytes = 0;
    int ranges = 0;
    for (int i = 0; i < run.size(); i++) {
      bytes += run.get(i).heldBytes();
      rawBytes += run.get(i).rawBytes();
      ranges += run.get(i).ranges();
      boolean full = bytes >= fullBytes() || rawBytes >= FULL_RAW_BYTES || ranges >= FULL_RANGES;
      if (full && i > 0) {
        return Optional.of(new Plan(run.subList(0, i + 1), true));
      }
    }
    if (closed) {
      return Optional.of(new Plan(run, true));
    }
    for (int i = 0; i + FAN <= run.size(); i++) {
      List<ShortPack> some = run.subList(i, i + FAN);
      if (some.getFirst().merges() == some.getLast().merges()) {
        return Optional.of(new Plan(some, false));
      }
    }
    return Optional.empty();
  }

  /**
   * Replaces packs by the one that they were merged into.
   *
   * @param merged empty: it is not merged again
   */
  synchronized void merged(Plan plan, Optional<ShortPack> merged) {
    int at = packs.indexOf(plan.packs().getFirst());
    forget(plan);
    // Half a long pack is long enough: writing it again gains little.
    if (merged.isPresent() && at >= 0 && merged.get().heldBytes() < fullBytes() / 2) {
      packs.add(at, merged.get());
      heldBytes += merged.get().heldBytes();
    }
  }

  /** Leaves packs as they are. */
  synchronized void forget(Plan plan) {
    for (ShortPack pack : plan.packs()) {
      if (packs.remove(pack)) {
        heldBytes -= pack.heldBytes();
      }
    }
  }

  /** Leaves all packs as they are. */
  synchronized void clear() {
    packs.clear();
    heldBytes = 0;
  }

  /** Returns how many bytes are held. */
  synchronized long heldBytes() {
    return heldBytes;
  }
}
