package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;

/**
 * A listener that logs when a problem begins and when it is over; {@code status} shows repetitions.
 */
final class ProblemPrinter implements ProblemListener {
  private final Surroundings surroundings;

  ProblemPrinter(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public void began(Problem problem) {
    say((problem.permanent() ? "problem: " : "problem, trying again: ") + problem.message());
    problem
        .hint()
        .ifPresent(hint -> surroundings.err().println("Hint: " + Printable.sentence(hint)));
  }

  @Override
  public void ended(Problem problem) {
    say("works again: " + problem.subject());
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.sentence(message));
  }
}
