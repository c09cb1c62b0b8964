package dev.tailwater.lab.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.RandomFile;
import dev.tailwater.lab.read.ReadPathExperiment.ReadPlan;
import dev.tailwater.lab.read.ReadPathTable.Variant;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.TestLaboratory;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadPathExperimentTest {
  private static final int SIZE_BYTES = 300_000;
  private static final String SIZE = "8 MiB";

  @TempDir private Path directory = Path.of("");

  @Test
  void measuresEachWayHotAndCold() throws Exception {
    ReadPlan plan =
        new ReadPlan(List.of(16 << 10, 1 << 20), Duration.ofMillis(1), 0, 1, Duration.ofMinutes(1));

    Findings findings = new ReadPathExperiment(plan).run(TestLaboratory.in(directory));

    TestLaboratory.checkShape(findings);
    ResultTable table = findings.tables().getFirst();
    boolean cold = !findings.conditions().containsKey("cold files");
    assertEquals(1 + 2 * 8 + (cold ? 1 + 2 * 7 : 0), table.rows().size());
    // Mapped anew each time, so each time its pages are touched for the first time.
    Map<String, String> mapped = Map.of("way", ReadWay.MAPPED, "size", "1 MiB");
    assertTrue(table.series("page faults", mapped).orElseThrow().median() >= 1);
    assertTrue(
        table.rows().stream()
            .allMatch(row -> row.measured().getLast().orElseThrow().median() >= 0));
  }

  @Test
  void eachWayGivesAllBytes() throws Exception {
    Path path = directory.resolve("file");
    RandomFile.write(path, SIZE_BYTES, new SplittableRandom(1));
    byte[] expected = Files.readAllBytes(path);
    try (ReadFile file = ReadFile.open(LinuxFileCalls.create(), path, SIZE_BYTES)) {
      for (ReadWay way : ReadWay.all(file)) {
        Arrays.fill(file.array(), (byte) 0);
        way.reading().read();
        if (way.name().equals(ReadWay.DIRECT_CHANNEL)) {
          file.direct().get(file.array());
        }
        assertArrayEquals(expected, file.array(), way.name());
      }
    }
  }

  private static List<Series> around(double throughput, double faults, double collection) {
    return List.of(
        new Series(List.of(throughput * 0.99, throughput, throughput * 1.01)),
        new Series(List.of(faults, faults, faults)),
        new Series(List.of(collection * 0.99, collection, collection * 1.01)));
  }

  private static ReadPathConclusions conclusions(double critical, double stream) {
    Map<Variant, List<Series>> measured = new LinkedHashMap<>();
    measured.put(
        new Variant(ReadPathTable.NOBODY, ReadPathTable.NONE, ReadPathTable.HOT),
        around(Double.NaN, Double.NaN, 10));
    measured.put(new Variant(ReadWay.STREAM, SIZE, ReadPathTable.HOT), around(stream, 0, 10));
    measured.put(new Variant(ReadWay.CRITICAL, SIZE, ReadPathTable.HOT), around(critical, 0, 15));
    measured.put(
        new Variant(ReadWay.OURS, SIZE, ReadPathTable.HOT), around(critical * 0.98, 0, 10));
    measured.put(
        new Variant(ReadWay.MAPPED_STREAMING, SIZE, ReadPathTable.HOT), around(900, 256, 10));
    return new ReadPathConclusions(ReadPathTable.of(measured, SIZE), List.of(SIZE));
  }

  @Test
  void recommendsTheFastestSafeWayAndNamesWhatItCosts() {
    ReadPathConclusions conclusions = conclusions(7000, 5500);

    List<String> said = conclusions.all().stream().map(Conclusion::text).toList();
    assertEquals(
        "critical read, 8 MiB, hot: 1.27 × the throughput of InputStream, 8 MiB, hot"
            + " (7000 against 5500 MB/s); the article had 1.25 ×, about the same.",
        said.getFirst());
    assertTrue(
        said.contains(
            "mmap, streaming copy, munmap, 8 MiB, hot has 256 page faults for each MiB,"
                + " critical read, 8 MiB, hot has 0."),
        said::toString);
    assertTrue(
        said.contains(
            "critical read, 8 MiB, hot: 1.5 × the collection time of no reader"
                + " (15 against 10 ms)."),
        said::toString);
    assertEquals(
        List.of(ReadWay.OURS),
        conclusions.recommendations().stream().map(Recommendation::value).toList());
  }

  @Test
  void recommendsNothingWhereTheUsualWayIsAsFast() {
    assertEquals(List.of(), conclusions(5510, 5500).recommendations());
    assertTrue(conclusions(5510, 5500).all().getFirst().text().contains("no difference"));
  }
}
