package dev.tailwater.cli.probe;

/**
 * The result of one test.
 *
 * @param name what it is, in a few words
 * @param found what was seen; empty when there is nothing to say
 * @param meaning what follows from it for the user; empty when nothing does
 * @param remedy what to do about it; empty when there is nothing to do
 * @param vital whether an archive can lose bytes where this is a problem
 */
public record Finding(
    Step step,
    String name,
    Verdict verdict,
    String found,
    String meaning,
    String remedy,
    boolean vital) {
  static Finding ok(Step step, String name, String found) {
    return new Finding(step, name, Verdict.OK, found, "", "", false);
  }

  static Finding skipped(Step step, String name, String why) {
    return new Finding(step, name, Verdict.SKIPPED, why, "", "", false);
  }

  static Finding of(
      Step step, String name, Verdict verdict, String found, String meaning, String remedy) {
    return new Finding(step, name, verdict, found, meaning, remedy, false);
  }

  /** Returns the same finding as a vital one. */
  Finding thatIsVital() {
    return new Finding(step, name, verdict, found, meaning, remedy, true);
  }
}
