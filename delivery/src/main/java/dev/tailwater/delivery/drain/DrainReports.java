package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.risk.BoundWatch;
import dev.tailwater.delivery.watch.Losses;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Builds the report of a drain from how it went at each destination. */
final class DrainReports {
  private DrainReports() {}

  static DrainReport of(
      List<LaneDrain> lanes,
      Problems problems,
      Losses.Report losses,
      Duration took,
      boolean deadlineMet) {
    List<DestinationDrain> drained =
        lanes.stream().map(lane -> lane.report(lane.leftBehind())).toList();
    List<DestinationDrain> required = drained.stream().filter(DestinationDrain::required).toList();
    Set<String> bestEffort = bestEffort(lanes);
    List<Problem> open = open(problems);
    return new DrainReport(
        new DrainReport.Totals(
            required.stream().mapToLong(DestinationDrain::deliveredBytes).min().orElse(0),
            required.stream().mapToLong(DestinationDrain::deliveredSegments).sum(),
            took),
        deadlineMet,
        LeftBehind.union(required.stream().map(DestinationDrain::leftBehind).toList()),
        open.stream().filter(p -> counts(p, bestEffort)).toList(),
        open.stream().filter(p -> !counts(p, bestEffort)).toList(),
        drained,
        losses);
  }

  /** Returns whether there is a problem that bytes depend on at a required destination. */
  static boolean hasProblems(List<LaneDrain> lanes, Problems problems) {
    Set<String> bestEffort = bestEffort(lanes);
    return open(problems).stream().anyMatch(problem -> counts(problem, bestEffort));
  }

  /**
   * Returns what keeps a destination from having everything, beside what is known to be left. That
   * the record of this could not be put is not among it: nothing is put again for that.
   */
  static List<String> problemsOf(DrainLane lane, Problems problems) {
    return open(problems).stream()
        .filter(Problem::bytesDependOnIt)
        .filter(problem -> !problem.subject().equals(LeftBehindRecord.SUBJECT))
        .filter(problem -> problem.destination().map(lane.name()::equals).orElse(true))
        .map(Problem::message)
        .distinct()
        .toList();
  }

  private static Set<String> bestEffort(List<LaneDrain> lanes) {
    return lanes.stream()
        .map(LaneDrain::lane)
        .filter(lane -> !lane.required())
        .map(DrainLane::name)
        .collect(Collectors.toSet());
  }

  /** Returns the open problems, except that too much is at risk: what is left says that better. */
  private static List<Problem> open(Problems problems) {
    return problems.open().stream().filter(p -> !p.subject().equals(BoundWatch.SUBJECT)).toList();
  }

  private static boolean counts(Problem problem, Set<String> bestEffort) {
    return problem.bytesDependOnIt()
        && problem.destination().filter(bestEffort::contains).isEmpty();
  }
}
