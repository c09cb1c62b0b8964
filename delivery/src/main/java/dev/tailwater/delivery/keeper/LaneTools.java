package dev.tailwater.delivery.keeper;

import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.merge.Merger;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.posix.ErrnoException;

/**
 * What the keeper of one destination's tails works with.
 *
 * @param number of the destination among the agent's
 * @param required whether bytes are at risk until they are durable there
 * @param known the streams of earlier runs, and those that have ended
 */
public record LaneTools(
    int number,
    boolean required,
    KnownStreams known,
    CheckpointSaver saver,
    DueQueue queue,
    Deliverer deliverer,
    Merger merger,
    Problems problems,
    Clocks clocks) {
  /** Looks at the file of a tail. */
  void look(Tail tail) throws ErrnoException {
    TailLook.refresh(tail, clocks.nanos(), clocks.millis());
  }

  /**
   * Looks at the file of a tail: another destination's worker may already read for this one too.
   */
  void lookAgain(Tail tail) {
    try {
      look(tail);
    } catch (ErrnoException e) {
      problems.report(tail.name().toString(), e, "the file stays at risk and is tried again");
    }
  }
}
