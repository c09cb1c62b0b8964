package dev.tailwater.cli.ship;

import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.report.LeftBehindText;
import dev.tailwater.cli.report.LossesText;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.drain.DestinationDrain;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of a drain: one line if all is delivered, or everything that is left, to the byte. */
final class DrainSummary {
  private final DrainReport report;
  private final boolean hasDeadline;

  /**
   * Creates a summary.
   *
   * @param hasDeadline whether more time would have helped
   */
  DrainSummary(DrainReport report, boolean hasDeadline) {
    this.report = report;
    this.hasDeadline = hasDeadline;
  }

  void print(PrintStream err) {
    err.println(
        "tailwater: delivered "
            + ByteSizes.forPeople(report.totals().deliveredBytes())
            + " in "
            + seconds(report.totals().took())
            + ", "
            + remainder());
    if (report.destinations().size() > 1) {
      report.destinations().forEach(destination -> print(destination, err));
    }
    LeftBehindText.of(report.leftBehind()).print(err);
    LossesText.of(report.losses()).print(err);
    print(report.problems(), "  ", err);
    Map<Boolean, List<Problem>> others =
        report.otherProblems().stream()
            .collect(Collectors.partitioningBy(Problem::bytesDependOnIt));
    print(others.getOrDefault(true, List.of()), "  best effort: ", err);
    print(others.getOrDefault(false, List.of()), "  besides: ", err);
    if (!report.leftBehind().isEmpty()) {
      err.println(
          "Hint: it is still in the files; the next start delivers it"
              + (hasDeadline ? ", or a longer --drain-deadline" : ""));
    }
  }

  /** Prints each problem once, even if several files have it. */
  private static void print(List<Problem> problems, String indent, PrintStream err) {
    problems.stream()
        .map(Problem::message)
        .distinct()
        .forEach(message -> err.println(indent + Printable.sentence(message)));
  }

  private static void print(DestinationDrain destination, PrintStream err) {
    long leftBytes = destination.leftBehindBytes();
    err.println(
        "  "
            + Printable.sentence(destination.name())
            + (destination.required() ? "" : " (best effort)")
            + ": delivered "
            + ByteSizes.forPeople(destination.deliveredBytes())
            + (leftBytes == 0 ? ", nothing is left" : ", lacks " + ByteSizes.forPeople(leftBytes)));
  }

  private String remainder() {
    if (!report.leftBehind().isEmpty()) {
      return ByteSizes.forPeople(report.leftBehindBytes()) + " left behind:";
    }
    // It is not known how much is left of a file that could not be opened.
    return report.isComplete() ? "nothing is left" : "but not everything could be done:";
  }

  ExitCode exitCode() {
    return report.isComplete() ? ExitCode.DONE : ExitCode.PARTIAL;
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
