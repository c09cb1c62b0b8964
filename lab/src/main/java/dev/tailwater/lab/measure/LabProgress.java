package dev.tailwater.lab.measure;

/** A listener for the progress of an experiment; called only from the experiment's thread. */
public interface LabProgress {
  /**
   * Reports the progress.
   *
   * @param done a part of this experiment, from 0 to 1
   * @param doing in a few words: {@code round 3 of 7}
   */
  void at(double done, String doing);
}
