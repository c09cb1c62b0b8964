package dev.tailwater.lab.measure;

import dev.tailwater.posix.FileCalls;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * The place and the tools of an experiment.
 *
 * @param directory an empty directory on the mount that is measured, the experiment's own; the
 *     caller removes it with its content
 * @param random the source for the order of variants and the contents of files
 * @param time which the experiment keeps to
 */
public record Laboratory(
    Path directory,
    Effort effort,
    FileCalls calls,
    RandomGenerator random,
    LabProgress progress,
    TimeBudget time) {
  /** Creates a laboratory with any amount of time. */
  public Laboratory(
      Path directory,
      Effort effort,
      FileCalls calls,
      RandomGenerator random,
      LabProgress progress) {
    this(directory, effort, calls, random, progress, TimeBudget.unlimited());
  }
}
