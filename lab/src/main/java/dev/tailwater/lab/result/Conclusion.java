package dev.tailwater.lab.result;

/**
 * One sentence that was computed from the figures.
 *
 * @param certainty how much it is worth
 * @param text with the figures it rests on
 */
public record Conclusion(Certainty certainty, String text) {
  /** What the figures allow to say. */
  public enum Certainty {
    /** The intervals are apart, or it was counted. */
    SHOWN,
    /** No difference, as far as the intervals can tell. */
    NO_DIFFERENCE,
    /** The samples are spread too widely for either. */
    TOO_NOISY
  }

  public static Conclusion shown(String text) {
    return new Conclusion(Certainty.SHOWN, text);
  }
}
