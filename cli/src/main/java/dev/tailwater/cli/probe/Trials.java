package dev.tailwater.cli.probe;

import dev.tailwater.destination.DestinationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The calls that a step of the probe tries, one by one, and what it found. */
final class Trials {
  private final Runnable each;
  private final List<Finding> findings = new ArrayList<>();
  private boolean reached;

  /**
   * @param each runs after each that was tried
   */
  Trials(Runnable each) {
    this.each = each;
  }

  /** A call that returns what was wrong with its answer; empty if nothing was. */
  @FunctionalInterface
  interface Trial {
    Optional<String> run() throws Exception;
  }

  List<Finding> findings() {
    return findings;
  }

  /** Whether the destination has answered any call that it permitted. */
  boolean reached() {
    return reached;
  }

  /**
   * Tries a call that should be permitted.
   *
   * @param meaning what does not work without it
   * @param vital whether nothing works without it
   * @return whether the destination permitted it, whatever the answer was
   */
  boolean isPermitted(String name, String meaning, boolean vital, Trial trial)
      throws InterruptedException {
    Finding finding;
    boolean done = false;
    try {
      Optional<String> wrong = ProbeRetry.of(trial::run);
      done = true;
      reached = true;
      finding =
          wrong
              .map(said -> finding(name, Verdict.WRONG, said, meaning, "").thatIsVital())
              .orElseGet(() -> Finding.ok(Step.PERMISSION, name, ""));
    } catch (InterruptedException | StoppedException e) {
      throw e;
    } catch (DestinationException e) {
      Verdict verdict = e.permanent() ? Verdict.MISSING : Verdict.UNKNOWN;
      finding = finding(name, verdict, e.getMessage(), meaning, e.finalHint());
      if (vital) {
        finding = finding.thatIsVital();
      }
    } catch (Exception e) {
      finding = finding(name, Verdict.WRONG, Words.failure(e), meaning, "").thatIsVital();
    }
    add(finding);
    return done;
  }

  void skip(String name, String reason) {
    add(Finding.skipped(Step.PERMISSION, name, reason));
  }

  void add(Finding finding) {
    findings.add(finding);
    each.run();
  }

  static Finding finding(String name, Verdict verdict, String said, String meaning, String remedy) {
    return Finding.of(Step.PERMISSION, name, verdict, said, meaning, remedy);
  }
}
