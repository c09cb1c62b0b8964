package dev.tailwater.restore;

/** How a whole run went. The exit code of a command follows from it. */
public enum Outcome {
  /** Everything that was asked for. */
  DONE(0),
  /** Nothing of it. */
  FAILED(1),
  /** Some of it; what is missing is listed. */
  PARTIAL(3);

  private final int exitCode;

  Outcome(int exitCode) {
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }

  /**
   * Returns the outcome of a run of several parts.
   *
   * @param complete how many parts went well
   * @param partial how many went well in part
   * @param failed how many did not
   */
  public static Outcome of(long complete, long partial, long failed) {
    if (partial == 0 && failed == 0) {
      return DONE;
    }
    return complete == 0 && partial == 0 ? FAILED : PARTIAL;
  }
}
