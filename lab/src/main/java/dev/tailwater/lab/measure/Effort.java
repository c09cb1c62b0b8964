package dev.tailwater.lab.measure;

/** How much time a run may take. */
public enum Effort {
  /** All experiments within two minutes: few sizes, few rounds. */
  QUICK,
  /** Some ten minutes. */
  NORMAL,
  /** Every size and way of the articles, and enough rounds for narrow intervals: an hour or so. */
  FULL;

  /** That of the three which this effort is. */
  public <T> T pick(T quick, T normal, T full) {
    return switch (this) {
      case QUICK -> quick;
      case NORMAL -> normal;
      case FULL -> full;
    };
  }
}
