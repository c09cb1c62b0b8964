package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.contract.Check;
import dev.tailwater.destination.contract.CheckPlace;
import dev.tailwater.destination.contract.Contract;
import dev.tailwater.destination.contract.Deviation;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test of every sentence of the contract of {@link Destination}, for any kind of destination. A
 * subclass defines how to open the destination, and JUnit runs the tests.
 *
 * <p>The sentences are those of {@link Contract}, which {@code tailwater probe} tests on a user's
 * destination. Together they write some 40 MB, in a few hundred objects, below the places that
 * {@link #open} returns, and leave them there.
 */
public abstract class DestinationConformance {
  /**
   * Opens the place of the running test for writing. The first time in a test it is empty; further
   * calls in the same test, also after a close, open the same place again. JUnit creates a new
   * object of the subclass for each test.
   */
  protected abstract Destination open() throws IOException;

  /** Returns the deviations of the server; none unless overridden. */
  protected Set<Deviation> deviations() {
    return Set.of();
  }

  static List<Check> contract() {
    return Contract.checks();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contract")
  final void keepsTheContract(Check check) throws Exception {
    check.run(CheckPlace.of(this::open, deviations()));
  }
}
