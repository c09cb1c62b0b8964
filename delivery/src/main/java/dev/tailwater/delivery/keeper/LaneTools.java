package dev.tailwater.delivery.keeper;

import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
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
 */
public record LaneTools(
    int number,
    boolean required,
    Streams streams,
    DueQueue queue,
    Deliverer deliverer,
    Merger merger,
    Problems problems,
    Clocks clocks) {
  /**
   * What is known of the streams of earlier runs.
   *
   * @param doubtNewFiles whether a file that is there at the start may be partly delivered although
   *     nothing is known of it
   * @param nextStartAsks whether the next start asks the destination what it holds, unless this run
   *     has recorded all files that its first scan finds
   */
  public record Streams(
      KnownStreams known,
      boolean doubtNewFiles,
      boolean nextStartAsks,
      CheckpointStore checkpoints,
      CheckpointSaver saver) {}

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
