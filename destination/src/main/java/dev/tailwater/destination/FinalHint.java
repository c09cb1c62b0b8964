package dev.tailwater.destination;

/** Hints of a call that nobody tries again, since the command is over. */
final class FinalHint {
  private FinalHint() {}

  /** Returns a hint that was written for an agent without the promise to try again. */
  static String of(String hint) {
    return hint.replace("It is tried again.", "Try again.")
        .replace("it is tried again under another name", "try again")
        .replace("it is tried again", "try again")
        .replace("requests are sent more slowly", "try again later")
        .replace("and delivery goes on by itself", "and try again")
        .replace("; delivery goes on by itself", "");
  }
}
