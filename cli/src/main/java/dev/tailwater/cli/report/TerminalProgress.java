package dev.tailwater.cli.report;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.restore.RestoreProgress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on a terminal, for what takes longer than a second. Thread-safe. */
public final class TerminalProgress implements RestoreProgress, AutoCloseable {
  private static final long QUIET_NANOS = 1_000_000_000L;
  private static final long MEBIBYTE = 1L << 20;

  private final Surroundings surroundings;
  private final String task;
  private final boolean counting;
  private final long startNanos = System.nanoTime();
  private final AtomicLong doneBytes = new AtomicLong();
  private volatile long plannedBytes = -1;

  @GuardedBy("this")
  private @Nullable ProgressBar bar;

  @GuardedBy("this")
  private boolean closed;

  private TerminalProgress(Surroundings surroundings, String task, boolean counting) {
    this.surroundings = surroundings;
    this.task = task;
    this.counting = counting;
  }

  /** Counts bytes. Draws nothing if there is no terminal. */
  public static TerminalProgress of(Surroundings surroundings, String task) {
    return new TerminalProgress(surroundings, task, false);
  }

  /** Counts steps. Draws nothing if there is no terminal. */
  public static TerminalProgress counting(Surroundings surroundings, String task) {
    return new TerminalProgress(surroundings, task, true);
  }

  @Override
  public void planned(long streams, long bytes) {
    plannedBytes = bytes;
  }

  @Override
  public void done(long bytes) {
    doneBytes.addAndGet(bytes);
    draw();
  }

  @Override
  public void finished() {
    draw();
  }

  /** Sets how much is done, of how much; both may grow. */
  public void at(long bytes, long ofBytes) {
    plannedBytes = ofBytes;
    doneBytes.set(bytes);
    draw();
  }

  /** Whether there is a terminal to draw on. */
  public boolean isVisible() {
    return surroundings.terminalColumns().isPresent();
  }

  private void draw() {
    if (surroundings.terminalColumns().isEmpty()
        || plannedBytes < 0
        || System.nanoTime() - startNanos < QUIET_NANOS) {
      return;
    }
    synchronized (this) {
      if (closed) {
        return;
      }
      if (bar == null) {
        bar = begin();
      }
      // After a failure the same bytes may be counted again.
      bar.maxHint(plannedBytes);
      bar.stepTo(Math.min(doneBytes.get(), plannedBytes));
    }
  }

  private ProgressBar begin() {
    // If the width is given, the library does not ask the terminal, which takes another library.
    int columns = Math.clamp(surroundings.terminalColumns().orElse(80) - 1L, 40, 100);
    ProgressBarBuilder builder =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(plannedBytes)
            .setStyle(ProgressBarStyle.ASCII);
    if (!counting) {
      builder.setUnit(" MiB", MEBIBYTE).showSpeed();
    }
    return builder
        .setUpdateIntervalMillis(200)
        .startsFrom(0, Duration.ofNanos(System.nanoTime() - startNanos))
        .setConsumer(new ConsoleProgressBarConsumer(surroundings.err(), columns))
        .build();
  }

  @Override
  public void close() {
    finish();
  }

  /** Takes the bar away: other lines follow. Does nothing when it is away already. */
  public synchronized void finish() {
    if (bar != null && !closed) {
      bar.close();
    }
    closed = true;
  }
}
