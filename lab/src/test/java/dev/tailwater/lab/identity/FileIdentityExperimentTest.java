package dev.tailwater.lab.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.lab.OpenFiles;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.identity.FileIdentityExperiment.IdentityPlan;
import dev.tailwater.lab.identity.FileIdentityTable.Variant;
import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.TestLaboratory;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileIdentityExperimentTest {
  @TempDir private Path directory = Path.of("");

  private Findings run(boolean cold) throws IOException, InterruptedException {
    IdentityPlan plan = new IdentityPlan(40, 2, 1, 3, 2, cold, Duration.ofMinutes(1));
    return new FileIdentityExperiment(plan).run(TestLaboratory.in(directory));
  }

  @Test
  void measuresEachWayWarmAndLeavesNoDescriptorOpen() throws Exception {
    List<String> before = OpenFiles.below(directory);

    Findings findings = run(false);

    assertEquals(before, OpenFiles.below(directory));
    TestLaboratory.checkShape(findings);
    ResultTable table = findings.tables().getFirst();
    assertEquals(IdentityWay.values().length, table.rows().size());
    assertEquals(
        List.of(1.0, 1.0, 1.0),
        table
            .series(FileIdentityTable.TO_STAT.name(), Map.of("way", "stat"))
            .orElseThrow()
            .samples());
    assertTrue(
        String.valueOf(findings.conditions().get("cold dentry cache")).startsWith("not measured"));
  }

  @Test
  void measuresEachWayColdToo() throws Exception {
    assumeTrue(PageCaches.mayDropAll(), "only root may drop the dentry cache");

    Findings findings = run(true);

    TestLaboratory.checkShape(findings);
    assertEquals(2 * IdentityWay.values().length, findings.tables().getFirst().rows().size());
  }

  @Test
  void allWaysTellFilesApartAndAgreeOnWhichIsWhich() throws Exception {
    try (IdentityFiles files =
        IdentityFiles.create(LinuxFileCalls.create(), directory, 2, new SplittableRandom(1))) {
      long inode = IdentityWay.STAT.identify(files, 0);

      assertEquals(
          Files.getAttribute(Path.of(files.kept(0).path().toString()), "unix:ino"),
          IdentityWay.FSTAT.identify(files, 0));
      assertEquals(inode, IdentityWay.OPEN_FSTAT.identify(files, 0));
      assertEquals(inode, IdentityWay.OURS.identify(files, 0));
      assertEquals(files.page().byteSize(), IdentityWay.PREAD.identify(files, 0));
      for (IdentityWay way : IdentityWay.values()) {
        if (way != IdentityWay.PREAD) {
          assertEquals(way.identify(files, 0), way.identify(files, 0));
          assertNotEquals(way.identify(files, 0), way.identify(files, 1));
        }
      }
    }
  }

  @Test
  void concludesOtherwiseWhenTheFiguresAreOthers() {
    assertEquals(
        "fstat, warm: 0.6 × the time of stat, warm (1.2 against 2 µs);"
            + " the article had 0.6 ×, about the same.",
        fstatAgainstStat(1.2, 2).text());
    assertEquals(
        "fstat, warm: 1.5 × the time of stat, warm (3 against 2 µs);"
            + " the article had 0.6 ×: here it is the other way round.",
        fstatAgainstStat(3, 2).text());
    assertEquals(Certainty.NO_DIFFERENCE, fstatAgainstStat(2, 2).certainty());
    assertFalse(fstatAgainstStat(2, 2).text().contains("about the same"));
  }

  @Test
  void saysInWordsWhatTheArticleHasNoFigureOf() {
    Map<Variant, List<Series>> measured = new LinkedHashMap<>();
    measured.put(new Variant(IdentityWay.STAT, FileIdentityTable.WARM), around(2));
    measured.put(new Variant(IdentityWay.OPEN_FSTAT, FileIdentityTable.WARM), around(6));

    assertEquals(
        IdentityWay.OPEN_FSTAT.words()
            + ", warm: 3 × the time of stat, warm (6 against 2 µs)."
            + " The article had more than twice the time.",
        FileIdentityConclusions.of(FileIdentityTable.of(measured)).getFirst().text());
  }

  private static Conclusion fstatAgainstStat(double fstatMicros, double statMicros) {
    Map<Variant, List<Series>> measured = new LinkedHashMap<>();
    measured.put(new Variant(IdentityWay.STAT, FileIdentityTable.WARM), around(statMicros));
    measured.put(new Variant(IdentityWay.FSTAT, FileIdentityTable.WARM), around(fstatMicros));
    return FileIdentityConclusions.of(FileIdentityTable.of(measured)).getFirst();
  }

  private static List<Series> around(double value) {
    return List.of(new Series(List.of(value * 0.99, value, value * 1.01)));
  }
}
