package dev.tailwater.cli.estimate;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.DeliveredBefore;
import dev.tailwater.delivery.Preview;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures how the files of the configured sources grow: their sizes now and some time later, of
 * the files that an agent would ship. Changes nothing.
 */
public final class GrowthSurvey {
  private static final long LOOK_MILLIS = 200;
  private static final double NANOS_PER_SECOND = 1e9;

  private final AgentConfig config;
  private final Surroundings surroundings;

  public GrowthSurvey(AgentConfig config, Surroundings surroundings) {
    this.config = config;
    this.surroundings = surroundings;
  }

  /** The sizes of all files at about one time. */
  private static final class Look implements Preview.Listener {
    private final Map<FileIdentity, Long> sizes = new HashMap<>();
    private final long atNanos = System.nanoTime();
    private long unreadable;

    @Override
    public void file(Preview.PreviewedFile file) {
      // A file with several names is shipped once.
      sizes.putIfAbsent(file.identity(), file.sizeBytes());
    }

    @Override
    public void unreadable(PosixPath path, String why) {
      unreadable++;
    }
  }

  /** Measures, and says on stderr what was found; fails when nothing grows. */
  public Workload measure(Duration duration) throws IOException, InterruptedException {
    say("measuring for " + Durations.format(duration) + " how the files of the sources grow");
    Look before = look();
    await(before.atNanos, duration);
    Look after = look();
    double seconds = (after.atNanos - before.atNanos) / NANOS_PER_SECOND;
    List<Workload.Growth> growths = growths(before.sizes, after.sizes, seconds);
    if (after.unreadable > 0) {
      say(
          Count.of(after.unreadable, "file or directory", "files or directories")
              + " cannot be read: left out");
    }
    if (after.sizes.isEmpty()) {
      throw UserException.failed(
          "no file belongs to the sources", "check their paths and globs, or give --rate");
    }
    say(growths.size() + " of " + Count.of(after.sizes.size(), "file") + " grew");
    if (growths.isEmpty()) {
      throw UserException.failed(
          "nothing was written meanwhile, so there is nothing to calculate",
          "measure longer, or give --rate");
    }
    return new Workload(growths);
  }

  private Look look() throws IOException {
    Look look = new Look();
    Preview.Outcome outcome =
        new Preview(LinuxFileCalls.create(), config, List.of(DeliveredBefore.nothing())).run(look);
    if (!outcome.isComplete()) {
      say("not all files are measured: there is no memory for all names");
    }
    return look;
  }

  private void await(long beginNanos, Duration duration) throws InterruptedException {
    long allMillis = duration.toMillis();
    try (TerminalProgress progress = TerminalProgress.counting(surroundings, "measure")) {
      long doneMillis = 0;
      while (doneMillis < allMillis) {
        Thread.sleep(Math.min(LOOK_MILLIS, allMillis - doneMillis));
        doneMillis = Duration.ofNanos(System.nanoTime() - beginNanos).toMillis();
        progress.at(Math.min(doneMillis, allMillis) / 1000, allMillis / 1000);
      }
    }
  }

  /** Returns how each file grew that did; one that is new or was truncated grew from nothing. */
  static List<Workload.Growth> growths(
      Map<FileIdentity, Long> before, Map<FileIdentity, Long> after, double seconds) {
    List<Workload.Growth> growths = new ArrayList<>();
    after.forEach(
        (identity, sizeBytes) -> {
          long beforeBytes = before.getOrDefault(identity, 0L);
          long grownBytes = sizeBytes - (beforeBytes <= sizeBytes ? beforeBytes : 0);
          if (grownBytes > 0) {
            growths.add(new Workload.Growth(1, grownBytes / seconds));
          }
        });
    return growths;
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
