package dev.tailwater.lab.report;

import dev.tailwater.lab.result.Conclusion.Certainty;

/** The words for certainty. */
public final class Words {
  private Words() {}

  /** Returns the words: {@code shown}, {@code no difference}, {@code too noisy to tell}. */
  public static String certainty(Certainty certainty) {
    return switch (certainty) {
      case SHOWN -> "shown";
      case NO_DIFFERENCE -> "no difference";
      case TOO_NOISY -> "too noisy to tell";
    };
  }

  /** Returns the class in the style sheet. */
  static String kind(Certainty certainty) {
    return switch (certainty) {
      case SHOWN -> "shown";
      case NO_DIFFERENCE -> "same";
      case TOO_NOISY -> "noisy";
    };
  }
}
