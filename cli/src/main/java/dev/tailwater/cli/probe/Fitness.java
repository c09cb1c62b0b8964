package dev.tailwater.cli.probe;

import dev.tailwater.cli.outcome.ExitCode;
import java.util.Locale;

/** The overall result: whether a destination is fit for an archive. */
public enum Fitness {
  /** All tests passed. */
  FIT(ExitCode.DONE, "is fit for an archive"),
  /** Something is missing, but no bytes are lost because of it. */
  LIMITED(ExitCode.PARTIAL, "holds an archive safely, but something is missing: see above"),
  /** An archive can lose bytes, or cannot be delivered. */
  UNFIT(ExitCode.FAILED, "is not fit for an archive: see above"),
  /** It did not do anything that it was asked. */
  UNREACHABLE(ExitCode.FAILED, "could not be used at all: see above");

  private final ExitCode exitCode;
  private final String words;

  Fitness(ExitCode exitCode, String words) {
    this.exitCode = exitCode;
    this.words = words;
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  /** The words after the destination's name. */
  String words() {
    return words;
  }

  /** In JSON. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
