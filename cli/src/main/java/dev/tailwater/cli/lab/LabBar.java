package dev.tailwater.cli.lab;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.lab.LabObserver;
import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.result.ExperimentResult;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Draws how far the lab is, where there is a terminal. */
final class LabBar implements LabObserver, AutoCloseable {
  private static final long STEPS = 1000;

  private final Surroundings surroundings;
  private volatile Duration remaining = Duration.ZERO;
  private @Nullable ProgressBar bar;

  LabBar(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public void at(Experiment experiment, double done, Duration rest, String doing) {
    remaining = rest;
    if (surroundings.terminalColumns().isEmpty()) {
      return;
    }
    if (bar == null) {
      bar = begin();
    }
    bar.stepTo((long) (done * STEPS));
    bar.setExtraMessage(experiment.name() + ", " + doing);
  }

  @Override
  public void ended(ExperimentResult result) {
    // It is shown at the end, with the rest.
  }

  @Override
  public void failed(Experiment experiment, Throwable failure) {
    if (surroundings.debug()) {
      surroundings.err().println("tailwater: " + experiment.name() + ":");
      failure.printStackTrace(surroundings.err());
    }
  }

  private ProgressBar begin() {
    int columns = Math.clamp(surroundings.terminalColumns().orElse(80) - 1L, 40, 120);
    return new ProgressBarBuilder()
        .setTaskName("lab")
        .setInitialMax(STEPS)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(200)
        .setEtaFunction(state -> Optional.of(remaining))
        .clearDisplayOnFinish()
        .setConsumer(new ConsoleProgressBarConsumer(surroundings.err(), columns))
        .build();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
