package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.result.ExperimentResult;
import java.time.Duration;

/** A listener for the progress of a run, called in the thread of the run. */
public interface LabObserver {
  /**
   * Reports the progress of an experiment.
   *
   * @param done a part of the whole run, from 0 to 1
   * @param remaining about how long the rest takes
   * @param doing in a few words: {@code round 3 of 7}
   */
  void at(Experiment experiment, double done, Duration remaining, String doing);

  /** Reports the result of an experiment that has ended or was skipped. */
  void ended(ExperimentResult result);

  /** Reports the failure of an experiment; called before {@link #ended}. */
  void failed(Experiment experiment, Throwable failure);
}
