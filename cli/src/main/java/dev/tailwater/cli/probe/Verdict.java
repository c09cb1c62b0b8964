package dev.tailwater.cli.probe;

/** What came of one thing that was tried. */
public enum Verdict {
  /** As it should be. */
  OK,
  /** Not as it should be, and harmless. */
  NOTE,
  /** It works, and slower than the settings expect. */
  SLOW,
  /** Left out: it was not wanted, or needs what is missing. */
  SKIPPED,
  /** It could not be found out. */
  UNKNOWN,
  /** It is not permitted. */
  MISSING,
  /** It is not as it must be. */
  WRONG;

  /** Whether somebody has to do something about it. */
  public boolean isProblem() {
    return this == UNKNOWN || this == MISSING || this == WRONG;
  }

  /** Whether people want to read more about it than its line. */
  boolean needsWords() {
    return isProblem() || this == NOTE || this == SLOW;
  }
}
