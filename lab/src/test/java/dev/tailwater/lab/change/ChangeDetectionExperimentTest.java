package dev.tailwater.lab.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.OpenFiles;
import dev.tailwater.lab.change.ChangeDetectionExperiment.ChangePlan;
import dev.tailwater.lab.change.ChangeTable.Load;
import dev.tailwater.lab.change.ChangeTable.Variant;
import dev.tailwater.lab.change.ChangeTrial.Windows;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.TimeBudget;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChangeDetectionExperimentTest {
  private static final int FILES = 150;
  private static final Load LOAD = new Load(20, 5);
  private static final List<ChangeWay> WITHOUT_ROOT =
      List.of(ChangeWay.POLLING, ChangeWay.WATCH_SERVICE, ChangeWay.INOTIFY, ChangeWay.HYBRID);

  @TempDir private Path directory = Path.of("");

  @Test
  void eachWaySeesTheFilesThatAreWrittenAndLeavesNoDescriptorOpen() throws Exception {
    List<String> before = OpenFiles.below(directory);
    Windows windows = new Windows(Duration.ofMillis(300), Duration.ofSeconds(3), 1);
    ChangePlan plan =
        new ChangePlan(FILES, List.of(ChangeWay.values()), List.of(LOAD), true, windows, 1);
    ChangeDetectionExperiment experiment = new ChangeDetectionExperiment(plan);
    Laboratory laboratory =
        new Laboratory(
            directory,
            Effort.QUICK,
            LinuxFileCalls.create(),
            new SplittableRandom(1),
            (_, _) -> {});
    assertEquals(Optional.<String>empty(), experiment.missing(laboratory));

    Findings findings = experiment.run(laboratory);

    assertEquals(before, OpenFiles.below(directory));
    ResultTable table = findings.tables().getFirst();
    List<ChangeWay> measured =
        Stream.of(ChangeWay.values())
            .filter(way -> !findings.conditions().containsKey(way.words()))
            .toList();
    assertTrue(measured.containsAll(WITHOUT_ROOT), () -> "" + findings.conditions());
    assertEquals(measured.size(), table.rows().size());
    for (ChangeWay way : measured) {
      double seen = value(table, way, ChangeTable.SEEN.name());
      assertTrue(seen > 0, () -> way + ": " + table);
      assertTrue(value(table, way, ChangeTable.MEDIAN.name()) >= 0);
    }
    assertTrue(value(table, ChangeWay.POLLING, ChangeTable.WRITTEN.name()) > 0);
  }

  private static double value(ResultTable table, ChangeWay way, String quantity) {
    return table.series(quantity, new Variant(LOAD, way).wanted()).orElseThrow().median();
  }

  @Test
  void theThreadOfTheWatchServiceIsKnown() throws Exception {
    WatchedTree tree = WatchedTree.create(directory.resolve("tree"), 3, TimeBudget.unlimited());
    try (ServiceWatcher watcher = new ServiceWatcher(tree)) {
      assertEquals(1, watcher.threadsOfService());
    }
  }

  @Test
  void theWriterWritesAsOftenAsItWasToldAndTellsBefore() throws Exception {
    WatchedTree tree = WatchedTree.create(directory.resolve("tree"), 10, TimeBudget.unlimited());
    SightLog log = new SightLog(tree.count());
    WriteLoad load = new WriteLoad(LinuxFileCalls.create(), tree, 2, 50);
    long deadlineNanos = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    try (WriteLoad.Writing writing = load.start(List.of(log))) {
      while (writing.count() < 10 && System.nanoTime() < deadlineNanos) {
        Thread.onSpinWait();
      }
      assertTrue(writing.count() >= 10);
    }
    log.seen(0, System.nanoTime());
    log.seen(1, System.nanoTime());
    log.seen(5, System.nanoTime());
    assertEquals(2, log.count(), "files 0 and 5 of 10 were written");
    assertTrue(Files.size(tree.file(5)) > 100);
    assertEquals(100, Files.size(tree.file(1)));
  }

  @Test
  void aLatencyCountsFromTheFirstWriteThatWasNotSeen() {
    SightLog log = new SightLog(1);
    log.writing(0, 1_000_000);
    log.writing(0, 5_000_000);
    log.seen(0, 11_000_000);
    log.seen(0, 99_000_000);

    assertEquals(1, log.count());
    assertEquals(10.0, log.latencyMillis(0.5));
    log.begin();
    assertTrue(Double.isNaN(log.latencyMillis(0.5)));
  }

  @Test
  void saysHowManyFilesMustBeAllowedToBeOpen() {
    String limits = "Limit   Soft Limit  Hard Limit  Units\nMax open files   1024   4096   files\n";

    assertEquals(
        Optional.of(
            "10000 files must be open at once, and this process may have 1024;"
                + " allow more by ulimit -n 10300"),
        OpenFileLimit.tooLowFor(10_000, limits));
    assertEquals(Optional.<String>empty(), OpenFileLimit.tooLowFor(700, limits));
    assertEquals(
        Optional.<String>empty(),
        OpenFileLimit.tooLowFor(10_000, "Max open files  unlimited  unlimited  files"));
  }
}
