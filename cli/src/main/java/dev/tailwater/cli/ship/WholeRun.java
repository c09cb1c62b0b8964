package dev.tailwater.cli.ship;

import dev.tailwater.delivery.drain.DestinationDrain;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.status.StatusReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a run delivered that only drains. Delivery begins while the sources are still being scanned,
 * and the report of the drain counts from its own beginning: users would see a part of their bytes.
 */
final class WholeRun {
  private WholeRun() {}

  /** Returns the report of the drain, with what was delivered since the agent started. */
  static DrainReport report(
      DrainReport drain, List<StatusReport.AtDestination> destinations, Duration took) {
    Map<String, StatusReport.Progress> sinceStart =
        destinations.stream()
            .collect(
                Collectors.toMap(
                    StatusReport.AtDestination::name, StatusReport.AtDestination::progress));
    List<DestinationDrain> whole =
        drain.destinations().stream()
            .map(
                one ->
                    Optional.ofNullable(sinceStart.get(one.name()))
                        .map(progress -> of(one, progress))
                        .orElse(one))
            .toList();
    List<DestinationDrain> required = whole.stream().filter(DestinationDrain::required).toList();
    return new DrainReport(
        new DrainReport.Totals(
            required.stream().mapToLong(DestinationDrain::deliveredBytes).min().orElse(0),
            required.stream().mapToLong(DestinationDrain::deliveredSegments).sum(),
            took),
        drain.deadlineMet(),
        drain.leftBehind(),
        drain.problems(),
        drain.otherProblems(),
        whole,
        drain.losses());
  }

  private static DestinationDrain of(DestinationDrain drain, StatusReport.Progress sinceStart) {
    return new DestinationDrain(
        drain.name(),
        drain.required(),
        sinceStart.deliveredBytes(),
        sinceStart.deliveredSegments(),
        drain.leftBehind());
  }
}
