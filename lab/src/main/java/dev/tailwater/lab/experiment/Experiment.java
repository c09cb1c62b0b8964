package dev.tailwater.lab.experiment;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** One question about this host. Holds no state between runs. */
public interface Experiment {
  /** What an experiment of little time may write, if it says nothing else. */
  long QUICK_BYTES = 512L << 20;

  /** What it is about. */
  Topic topic();

  /** As on the command line, {@code write-size-sync}. */
  default String name() {
    return topic().name();
  }

  /** About how long it takes, so that the remaining time can be told. */
  Duration expectedTime(Effort effort);

  /** How much space it takes at most, in the laboratory's directory. */
  default long mostBytes(Effort effort) {
    return effort.pick(QUICK_BYTES, 4 * QUICK_BYTES, 8 * QUICK_BYTES);
  }

  /**
   * Why it cannot be run here and what to do about it, in one sentence; empty when it can. Changes
   * nothing.
   */
  default Optional<String> missing(Laboratory laboratory) throws IOException {
    return Optional.empty();
  }

  /** Measures; leaves files only in the laboratory's directory. */
  Findings run(Laboratory laboratory) throws IOException, InterruptedException;
}
