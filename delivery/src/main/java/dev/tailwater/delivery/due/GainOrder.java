package dev.tailwater.delivery.due;

import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Waiting tails, with the most gain first. What a tail gains changes with almost every write to its
 * file, and nobody asks as long as delivery keeps up: so the order is kept only while somebody
 * does, and made again for the next question after as many changes as there are tails. Not
 * thread-safe: the {@link DueQueue} guards it.
 */
final class GainOrder {
  /** The most gain first; of equal ones, the one that is due first. */
  private static final Comparator<WaitingTails.Entry> BY_GAIN =
      Comparator.comparingInt(WaitingTails.Entry::gain)
          .reversed()
          .thenComparing(WaitingTails.BY_DUE);

  private final TreeSet<WaitingTails.Entry> tails = new TreeSet<>(BY_GAIN);
  private boolean isKept;

  /** Since somebody asked last. */
  private int changes;

  void add(WaitingTails.Entry entry) {
    if (isKept && isWanted()) {
      place(entry);
    }
  }

  private void place(WaitingTails.Entry entry) {
    entry.setGain(Gain.of(entry.tail()));
    tails.add(entry);
  }

  void remove(WaitingTails.Entry entry) {
    if (isKept) {
      tails.remove(entry);
    }
  }

  /** Gives a tail the place of what it gains now. */
  void grown(WaitingTails.Entry entry) {
    if (!isKept || !isWanted()) {
      return;
    }
    int gain = Gain.of(entry.tail());
    if (gain != entry.gain() && tails.remove(entry)) {
      entry.setGain(gain);
      tails.add(entry);
    }
  }

  /** Counts a change; returns whether the order is still worth keeping. */
  private boolean isWanted() {
    if (++changes > tails.size()) {
      isKept = false;
      tails.clear();
    }
    return isKept;
  }

  /**
   * Returns the tail with the most gain.
   *
   * @param all supplies the tails that are in the order, whether it is kept or not
   */
  Optional<WaitingTails.Entry> first(Supplier<Stream<WaitingTails.Entry>> all) {
    changes = 0;
    if (!isKept) {
      all.get().forEach(this::place);
      isKept = true;
    }
    return tails.isEmpty() ? Optional.empty() : Optional.of(tails.first());
  }
}
