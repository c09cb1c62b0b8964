package dev.tailwater.delivery.problem;

/** A listener for tests that look at the problems themselves, or have none. */
public final class UnheardProblems implements ProblemListener {
  @Override
  public void began(Problem problem) {}

  @Override
  public void ended(Problem problem) {}
}
