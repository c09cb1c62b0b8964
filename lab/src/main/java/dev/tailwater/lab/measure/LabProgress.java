package dev.tailwater.lab.measure;

/** Hears how far an experiment is; may be called from the experiment's thread only. */
public interface LabProgress {
  /**
   * Says how far it is.
   *
   * @param done a part of this experiment, from 0 to 1
   * @param doing in a few words: {@code round 3 of 7}
   */
  void at(double done, String doing);
}
