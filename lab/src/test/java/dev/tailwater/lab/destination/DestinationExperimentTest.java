package dev.tailwater.lab.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.lab.destination.DestinationTable.Puts;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.LabProgress;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DestinationExperimentTest {
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;
  private static final DestinationPlan TINY =
      new DestinationPlan(List.of(4 * KIB, 16 * KIB), List.of(1, 2), 20, 0, 1, 256 * KIB);

  @TempDir private Path directory;

  private Destination open() throws Exception {
    return Destinations.open(
        directory.resolve("archive").toString(),
        OpenIntent.WRITE,
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random(1)));
  }

  private Laboratory laboratory(LabProgress progress) {
    return new Laboratory(
        directory, Effort.QUICK, LinuxFileCalls.create(), new Random(1), progress);
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().contains("tailwater-lab-")).toList();
    }
  }

  @Test
  void putsEachSizeAndRemovesWhatItPut() throws Exception {
    try (Destination destination = open()) {
      Findings found =
          new DestinationExperiment(destination, "file:///archive", _ -> TINY)
              .run(laboratory((_, _) -> {}));
      ResultTable table = found.tables().getFirst();
      assertEquals(4, table.rows().size());
      for (ResultTable.Row row : table.rows()) {
        for (Optional<Series> series : row.measured()) {
          assertTrue(series.orElseThrow().median() > 0, row.toString());
        }
      }
      assertEquals("file:", found.conditions().get("destination"));
      assertFalse(found.conditions().toString().contains("archive"), found.toString());
      // One round is too few to recommend anything.
      assertEquals(List.of(), found.recommendations());
    }
    assertEquals(List.of(), segments());
  }

  @Test
  void removesWhatItPutWhenItIsInterrupted() throws Exception {
    try (Destination destination = open()) {
      LabProgress interrupting =
          (done, _) -> {
            if (done > 0) {
              Thread.currentThread().interrupt();
            }
          };
      assertThrows(
          InterruptedException.class,
          () ->
              new DestinationExperiment(destination, "file:///archive", _ -> TINY)
                  .run(laboratory(interrupting)));
    }
    assertEquals(List.of(), segments());
  }

  @Test
  void putsNothingMoreOnceItIsClosed() throws Exception {
    try (Destination destination = open()) {
      DestinationScratch scratch = new DestinationScratch(destination, "tailwater-lab-1");
      scratch.put(ByteBuffer.allocate(10));
      assertEquals(2, segments().size());
      scratch.close();
      assertThrows(IllegalStateException.class, () -> scratch.put(ByteBuffer.allocate(10)));
      scratch.close();
    }
    assertEquals(List.of(), segments());
  }

  private static List<Series> about(double throughput) {
    Series series = new Series(List.of(throughput * 0.99, throughput, throughput * 1.01));
    return List.of(series, series, series);
  }

  @Test
  void recommendsTheSmallestSegmentsThatAreEnough() {
    Map<Puts, List<Series>> measured = new LinkedHashMap<>();
    measured.put(new Puts(MIB, 8), about(50));
    measured.put(new Puts(4 * MIB, 8), about(99.5));
    measured.put(new Puts(8 * MIB, 8), about(100));
    DestinationConclusions found = new DestinationConclusions(DestinationTable.of(measured));
    assertEquals("4MiB", found.recommendations().getFirst().value());
    assertEquals(
        "segments of 4 MiB, 8 at a time are enough (99.5 MB/s; 100 MB/s with segments of 8 MiB, 8"
            + " at a time), and leave less at risk than larger ones.",
        found.conclusions().getLast().text());

    measured.put(new Puts(4 * MIB, 8), about(70));
    DestinationConclusions larger = new DestinationConclusions(DestinationTable.of(measured));
    assertTrue(
        larger.conclusions().getLast().text().startsWith("segments of 8 MiB, 8 at a time have"),
        larger.conclusions().toString());
    // It is what ship does when nothing is said.
    assertEquals(List.of(), larger.recommendations());
  }

  @Test
  void recommendsSegmentsForAsManyPutsAsShipHas() {
    Map<Puts, List<Series>> measured = new LinkedHashMap<>();
    measured.put(new Puts(MIB, 8), about(50));
    measured.put(new Puts(MIB, 16), about(100));
    measured.put(new Puts(4 * MIB, 8), about(99.5));
    measured.put(new Puts(4 * MIB, 16), about(100));
    DestinationConclusions found = new DestinationConclusions(DestinationTable.of(measured));
    assertEquals("4MiB", found.recommendations().getFirst().value());
  }

  @Test
  void saysNothingOfADestinationButItsScheme() {
    assertEquals("s3:", DestinationExperiment.scheme("s3://user@bucket/logs"));
    assertEquals("hdfs+x:", DestinationExperiment.scheme("hdfs+x://name:8020/logs"));
    assertEquals("file:", DestinationExperiment.scheme("/mnt/at:ten/logs"));
  }

  @Test
  void putsNoSegmentTwice() {
    assertEquals(
        PutTrial.PLACES,
        IntStream.range(0, PutTrial.PLACES).map(PutTrial::place).distinct().count());
    assertTrue(
        IntStream.range(-10, 10)
            .map(PutTrial::place)
            .allMatch(place -> place >= 0 && place < PutTrial.PLACES));
  }

  @Test
  void recommendsNothingWhenItIsTooNoisy() {
    Map<Puts, List<Series>> measured = new LinkedHashMap<>();
    Series wide = new Series(List.of(20.0, 80.0, 200.0));
    measured.put(new Puts(MIB, 1), List.of(wide, wide, wide));
    measured.put(new Puts(MIB, 8), about(300));
    measured.put(new Puts(8 * MIB, 1), about(100));
    measured.put(new Puts(8 * MIB, 8), List.of(wide, wide, wide));
    measured.put(new Puts(MIB, 8), List.of(wide, wide, wide));
    measured.put(new Puts(8 * MIB, 8), about(100));
    DestinationConclusions found = new DestinationConclusions(DestinationTable.of(measured));
    assertEquals(List.of(), found.recommendations());
    Conclusion last = found.conclusions().getLast();
    assertEquals(Certainty.TOO_NOISY, last.certainty());
    assertEquals(
        "Too noisy to conclude whether segments of 1 MiB are enough, or only those of 8 MiB.",
        last.text());
  }
}
