package dev.tailwater.lab.measure;

/** A part of an experiment that measures in several parts. */
public final class Part {
  private Part() {}

  /**
   * Returns the laboratory of a part, whose progress goes from 0 to 1 as if it were the whole
   * experiment.
   *
   * @param from how far the experiment is when the part begins, from 0 to 1
   * @param to how far it is when the part ends
   */
  public static Laboratory of(Laboratory laboratory, double from, double to) {
    LabProgress progress = laboratory.progress();
    return new Laboratory(
        laboratory.directory(),
        laboratory.effort(),
        laboratory.calls(),
        laboratory.random(),
        (done, doing) -> progress.at(from + done * (to - from), doing),
        laboratory.time());
  }
}
