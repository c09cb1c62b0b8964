package dev.tailwater.lab.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.lab.LabObserver;
import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.report.Numbers;
import dev.tailwater.lab.result.ExperimentResult;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** The progress display of the lab: a bar on a terminal, or else a line every minute. */
final class LabBar implements LabObserver, AutoCloseable {
  private static final long STEPS = 1000;
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final Surroundings surroundings;
  private volatile Duration remaining = Duration.ZERO;
  private @Nullable ProgressBar bar;

  private volatile String state = "";
  private final Optional<Thread> teller;

  LabBar(Surroundings surroundings) {
    this(surroundings, A_MINUTE);
  }

  /**
   * Creates a progress display with another pause.
   *
   * @param pause between two lines if there is no terminal
   */
  LabBar(Surroundings surroundings, Duration pause) {
    this.surroundings = surroundings;
    // A thread of its own, since an experiment may measure for a long time without a report.
    this.teller =
        surroundings.terminalColumns().isPresent()
            ? Optional.empty()
            : Optional.of(
                Thread.ofPlatform().name("lab-teller").daemon(true).start(() -> tell(pause)));
  }

  private void tell(Duration pause) {
    try {
      while (true) {
        Thread.sleep(pause);
        if (!state.isEmpty()) {
          surroundings.err().println("tailwater: lab: " + state);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  @Override
  public void at(Experiment experiment, double done, Duration rest, String doing) {
    remaining = rest;
    state =
        String.format(
            Locale.ROOT,
            "%.0f %% done, about %s left; %s, %s",
            done * 100,
            Numbers.time(rest),
            experiment.name(),
            doing);
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
    // The results are shown at the end.
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
    teller.ifPresent(Thread::interrupt);
    if (bar != null) {
      bar.close();
    }
  }
}
