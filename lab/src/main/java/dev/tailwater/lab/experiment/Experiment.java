package dev.tailwater.lab.experiment;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.ResultTable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A question about this host that is answered by measuring. Holds no state between runs. */
public interface Experiment {
  /** The default for the space of a short experiment. */
  long QUICK_BYTES = 512L << 20;

  /** Returns its topic. */
  Topic topic();

  /** Returns the name on the command line: {@code write-size-sync}. */
  default String name() {
    return topic().name();
  }

  /** Returns about how long it takes, for the estimate of the remaining time. */
  Duration expectedTime(Effort effort);

  /** Returns the most space that it takes in the laboratory's directory. */
  default long mostBytes(Effort effort) {
    return effort.pick(QUICK_BYTES, 4 * QUICK_BYTES, 8 * QUICK_BYTES);
  }

  /**
   * Returns why it cannot be run here and what to do about it, in one sentence; empty if it can be
   * run. Changes nothing.
   */
  default Optional<String> missing(Laboratory laboratory) throws IOException {
    return Optional.empty();
  }

  /**
   * Returns the answer at a glance; empty if these tables do not have what it needs, as after a run
   * that left it out.
   *
   * @param tables of a result of this experiment, possibly of another version of it
   * @throws IllegalArgumentException a table has other columns
   */
  default Optional<Headline> headline(List<ResultTable> tables) {
    return Optional.empty();
  }

  /** Measures; leaves files only in the laboratory's directory. */
  Findings run(Laboratory laboratory) throws IOException, InterruptedException;
}
