package dev.tailwater.delivery.merge;

import dev.tailwater.delivery.stream.StreamProgress;
import java.util.Optional;

/** Where plans of long segments come from, and what became of them is noted. Thread-safe. */
interface MergePlans {
  /** Returns the segment that is to be made first. */
  Optional<MergePlan> next();

  /** Notes that the segment is durable. */
  void merged(MergePlan plan);

  /** Notes that bytes cannot be read again: what needs them stays as it is. */
  void leave(MergePlan plan);

  /** Leaves everything in the plan as it is. */
  void forget(MergePlan plan);

  /** Lets other streams go first. */
  void postpone(StreamProgress stream);
}
