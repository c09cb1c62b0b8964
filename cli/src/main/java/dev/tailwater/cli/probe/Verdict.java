package dev.tailwater.cli.probe;

/** The verdict on one test. */
public enum Verdict {
  /** As it should be. */
  OK,
  /** Not as it should be, but harmless. */
  NOTE,
  /** It works, but slower than the settings expect. */
  SLOW,
  /** Left out: not wanted, or something that it needs is missing. */
  SKIPPED,
  /** It could not be found out. */
  UNKNOWN,
  /** It is not permitted. */
  MISSING,
  /** It is not as it must be. */
  WRONG;

  /** Whether something has to be done about it. */
  public boolean isProblem() {
    return this == UNKNOWN || this == MISSING || this == WRONG;
  }

  /** Whether it needs more explanation than its line. */
  boolean needsWords() {
    return isProblem() || this == NOTE || this == SLOW;
  }
}
