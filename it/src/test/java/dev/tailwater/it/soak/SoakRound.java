package dev.tailwater.it.soak;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs one kind once, with a seed, in this process. */
final class SoakRound {
  private final SoakKind kind;
  private final Launcher launcher;

  SoakRound(SoakKind kind, Launcher launcher) {
    this.kind = kind;
    this.launcher = launcher;
  }

  /** How it ended. */
  enum Outcome {
    OK,
    FAILED,
    /** This machine cannot do it. */
    SKIPPED
  }

  /**
   * @param failure what was wrong
   */
  record Result(Outcome outcome, Optional<Throwable> failure) {}

  Result run(long seed) throws ClassNotFoundException {
    System.setProperty("tailwater.seed", Long.toString(seed));
    System.setProperty("tailwater.rounds", "1");
    kind.properties().forEach(System::setProperty);
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    launcher.execute(request(), listener);
    for (String property : kind.properties().keySet()) {
      System.clearProperty(property);
    }
    return result(listener.getSummary());
  }

  private static Result result(TestExecutionSummary summary) {
    if (summary.getTotalFailureCount() > 0) {
      Throwable first = summary.getFailures().getFirst().getException();
      summary.getFailures().stream()
          .skip(1)
          .forEach(failure -> first.addSuppressed(failure.getException()));
      return new Result(Outcome.FAILED, Optional.of(first));
    }
    if (summary.getTestsFoundCount() == 0) {
      return new Result(
          Outcome.FAILED, Optional.of(new IllegalStateException("there is no such test")));
    }
    return new Result(
        summary.getTestsSucceededCount() == 0 ? Outcome.SKIPPED : Outcome.OK, Optional.empty());
  }

  private LauncherDiscoveryRequest request() throws ClassNotFoundException {
    Class<?> test = Class.forName(kind.testClass());
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (Method method : kind.tests()) {
      selectors.add(DiscoverySelectors.selectMethod(test, method));
    }
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .configurationParameters(
            Map.of(
                "junit.jupiter.tempdir.cleanup.mode.default",
                "ON_SUCCESS",
                "junit.jupiter.execution.timeout.default",
                "10 m"))
        .build();
  }
}
