package dev.tailwater.delivery.drain;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamSums;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /** Takes in streams, each once. */
  static final class Collector {
    private final List<StreamId> named = new ArrayList<>();
    private final StreamSums.Adder adder = new StreamSums.Adder(StreamSums.MAX_GROUPS);
    private long count;

    void add(StreamId stream) {
      if (named.size() < MOST_NAMED) {
        named.add(stream);
      }
      adder.add(stream);
      count++;
    }

    /**
     * Returns what was taken in.
     *
     * @param isAll whether these are all; sums of some would say nothing of any
     */
    CompleteStreams toStreams(boolean isAll) {
      if (count <= MOST_NAMED || !isAll) {
        return new CompleteStreams(named, Optional.empty());
      }
      long groups = Long.highestOneBit(count / STREAMS_OF_A_GROUP);
      int most = (int) Math.min(groups, StreamSums.MAX_GROUPS);
      return new CompleteStreams(List.of(), Optional.of(adder.sums().inGroups(most)));
    }
  }
}
