package dev.tailwater.lab.measure;

/** The effort of a run: how much time it may take. */
public enum Effort {
  /** All experiments within two minutes, with few sizes and few rounds. */
  QUICK,
  /** Some ten minutes. */
  NORMAL,
  /**
   * About an hour, with every size and method of the articles, and enough rounds for narrow
   * intervals.
   */
  FULL;

  /** Returns the value for this effort. */
  public <T> T pick(T quick, T normal, T full) {
    return switch (this) {
      case QUICK -> quick;
      case NORMAL -> normal;
      case FULL -> full;
    };
  }
}
