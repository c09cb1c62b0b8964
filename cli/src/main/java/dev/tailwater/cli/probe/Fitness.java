package dev.tailwater.cli.probe;

import dev.tailwater.cli.outcome.ExitCode;
import java.util.Locale;

/** What a destination is fit for, all in all. */
public enum Fitness {
  /** Everything that was tried is as it should be. */
  FIT(ExitCode.DONE, "is fit for an archive"),
  /** Something is missing, and no bytes are lost for it. */
  LIMITED(ExitCode.PARTIAL, "holds an archive safely, but something is missing: see above"),
  /** An archive can lose bytes, or cannot be delivered. */
  UNFIT(ExitCode.FAILED, "is not fit for an archive: see above"),
  /** It did nothing that it was asked. */
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

  /** What goes behind the destination's name. */
  String words() {
    return words;
  }

  /** In JSON. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
