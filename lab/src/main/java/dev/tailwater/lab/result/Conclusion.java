package dev.tailwater.lab.result;

/**
 * A conclusion: one sentence that was computed from the figures.
 *
 * @param certainty how reliable it is
 * @param text with the figures on which it is based
 */
public record Conclusion(Certainty certainty, String text) {
  /** How certain a conclusion is. */
  public enum Certainty {
    /** The intervals do not overlap, or the value was counted. */
    SHOWN,
    /** No difference, as far as the intervals can tell. */
    NO_DIFFERENCE,
    /** The samples vary too much for either conclusion. */
    TOO_NOISY
  }

  public static Conclusion shown(String text) {
    return new Conclusion(Certainty.SHOWN, text);
  }
}
