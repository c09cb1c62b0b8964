package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.delivery.drain.DestinationDrain;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.watch.Losses;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WholeRunTest {
  private static DestinationDrain drained(String name, boolean required) {
    return new DestinationDrain(name, required, 10, 1, List.of());
  }

  private static StatusReport.AtDestination delivered(String name, boolean required, long bytes) {
    return new StatusReport.AtDestination(
        name,
        "file:///" + name,
        required,
        true,
        new StatusReport.Progress(0, 0, bytes, 2, bytes),
        2,
        new StatusReport.Merged(0, 0, 0, 0, 0),
        0);
  }

  @Test
  void countsWhatWasDeliveredBeforeTheDrainBegan() {
    DrainReport drain =
        new DrainReport(
            new DrainReport.Totals(10, 2, Duration.ofSeconds(1)),
            true,
            List.of(),
            List.of(),
            List.of(),
            List.of(drained("a", true), drained("b", true), drained("c", false)),
            Losses.Report.NONE);
    DrainReport whole =
        WholeRun.report(
            drain,
            List.of(delivered("a", true, 300), delivered("b", true, 200), delivered("c", false, 5)),
            Duration.ofSeconds(3));
    assertEquals(new DrainReport.Totals(200, 4, Duration.ofSeconds(3)), whole.totals());
    assertEquals(
        List.of(300L, 200L, 5L),
        whole.destinations().stream().map(DestinationDrain::deliveredBytes).toList());
  }
}
