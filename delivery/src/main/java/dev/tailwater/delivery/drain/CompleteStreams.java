package dev.tailwater.delivery.drain;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamSums;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The streams of which a destination has everything, as the record of the end says it: by their
 * names while they are few, and else by sums, which take a hundredth of that.
 *
 * @param named some of them; none where there are sums
 * @param sums of all of them
 */
record CompleteStreams(List<StreamId> named, Optional<StreamSums> sums) {
  /** So many ids take 410 KB, and get through before a deadline. */
  static final int MOST_NAMED = 10_000;

  /** One stream that a reader finds and the agent did not count hides the others of its group. */
  private static final int STREAMS_OF_A_GROUP = 8;

  /** Nothing is known to be complete. */
  static final CompleteStreams NONE = new CompleteStreams(List.of(), Optional.empty());

  CompleteStreams {
    named = List.copyOf(named);
  }

  /** Returns some streams, of others of which it is not known whether they are complete. */
  static CompleteStreams some(Collection<StreamId> some) {
    return new CompleteStreams(some.stream().limit(MOST_NAMED).toList(), Optional.empty());
  }

  /** Takes in all streams that are complete. */
  static final class Collector {
    private final Set<StreamId> inMemory;
    private final List<StreamId> named = new ArrayList<>();
    private long count;

    /** Has every stream once there are too many to be named. */
    private Optional<StreamSums.Adder> adder = Optional.empty();

    /** Creates one that has the streams of files in memory. */
    Collector(Collection<StreamId> inMemory) {
      this.inMemory = Set.copyOf(inMemory);
      this.inMemory.forEach(this::add);
    }

    /** Takes in the stream of a file that is not in memory, each once. */
    void addQuiet(StreamId stream) {
      if (!inMemory.contains(stream)) { // It may have left since.
        add(stream);
      }
    }

    private void add(StreamId stream) {
      count++;
      if (count <= MOST_NAMED) {
        named.add(stream);
        return;
      }
      if (adder.isEmpty()) {
        adder = Optional.of(new StreamSums.Adder(StreamSums.MAX_GROUPS));
        named.forEach(adder.get()::add);
      }
      adder.get().add(stream);
    }

    /**
     * Returns what was taken in.
     *
     * @param isAll whether these are all; sums of some would say nothing of any
     */
    CompleteStreams toStreams(boolean isAll) {
      return isAll && adder.isPresent()
          ? new CompleteStreams(List.of(), Optional.of(adder.get().sums().inGroups(groups())))
          : some(named);
    }

    private int groups() {
      long fitting = Long.highestOneBit(count / STREAMS_OF_A_GROUP);
      return (int) Math.min(fitting, StreamSums.MAX_GROUPS);
    }
  }
}
