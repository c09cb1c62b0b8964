package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.result.ExperimentResult;
import java.time.Duration;

/** A listener for the progress of a run, called in the thread of the run. */
public interface LabObserver {
  /**
   * Reports what is being done.
   *
   * @param done a part of the whole run, from 0 to 1
   * @param remaining about how long the rest takes
   * @param doing in a few words: {@code round 3 of 7}
   */
  void at(Experiment experiment, double done, Duration remaining, String doing);

  /** An experiment has ended, or was skipped. */
  void ended(ExperimentResult result);

  /** It has failed with this, before {@link #ended}. */
  void failed(Experiment experiment, Throwable failure);
}
