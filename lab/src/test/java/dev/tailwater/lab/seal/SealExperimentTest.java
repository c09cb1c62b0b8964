package dev.tailwater.lab.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealExperimentTest {
  @TempDir private Path directory;

  private static Series about(double value) {
    return new Series(List.of(value * 0.99, value, value * 1.01));
  }

  /** As one processor without anything else to do would have it. */
  private static List<Series> figures(double throughput, double ratio) {
    return List.of(about(throughput), about(ratio), about((1 << 30) / 1e6 / throughput));
  }

  private static SealVariant plain(String codec) {
    return new SealVariant(codec, false);
  }

  @Test
  void measuresWhatSealingGivesAndTakes() throws Exception {
    Findings found =
        new SealExperiment(
                _ -> List.of(plain("store"), plain("zstd:1"), new SealVariant("zstd:1", true)),
                _ -> 1,
                _ -> 1)
            .run(
                new Laboratory(
                    directory, Effort.QUICK, LinuxFileCalls.create(), new Random(1), (_, _) -> {}));
    ResultTable sealing = found.tables().getFirst();
    assertEquals(3, sealing.rows().size());
    double stored = ratio(sealing, "store");
    assertTrue(stored > 0.99 && stored < 1, "ratio " + stored);
    assertTrue(ratio(sealing, "zstd:1") > 3, "ratio " + ratio(sealing, "zstd:1"));
    assertEquals(2 * Uplink.values().length, found.tables().getLast().rows().size());
    // One round is too few to recommend anything.
    assertEquals(List.of(), found.recommendations());
  }

  private static double ratio(ResultTable sealing, String codec) {
    return sealing
        .series("ratio", Map.of("codec", codec, "encryption", "none"))
        .orElseThrow()
        .median();
  }

  @Test
  void wantsTheCheapestCodecThatFillsTheUplink() {
    Map<SealVariant, List<Series>> measured = new LinkedHashMap<>();
    measured.put(plain("store"), figures(5_000, 1));
    measured.put(plain("zstd:1"), figures(500, 6));
    measured.put(plain("zstd:6"), figures(150, 8));
    SealConclusions found = conclusions(measured);
    List<String> texts =
        found.conclusions().stream()
            .map(conclusion -> conclusion.text())
            .filter(text -> text.contains("bit/s: "))
            .map(text -> text.substring(0, text.indexOf(" delivers")))
            .toList();
    assertEquals(
        List.of("10 Mbit/s: zstd:6", "100 Mbit/s: zstd:6", "1 Gbit/s: zstd:1", "10 Gbit/s: store"),
        texts);
    // It is what ship does when nothing is said.
    assertEquals(List.of(), found.recommendations());

    measured.put(plain("zstd:6"), figures(900, 8));
    Recommendation compress = conclusions(measured).recommendations().getFirst();
    assertEquals("compress", compress.key());
    assertEquals("zstd:6", compress.value());
    assertEquals(
        "For an uplink of 1 Gbit/s: zstd:6 delivers 900 MB/s of files with 1.19 s of processor time"
            + " a GiB; the most that any codec delivers is 900 MB/s. The default is zstd:1. For other"
            + " uplinks: 10 Mbit/s: zstd:6, 100 Mbit/s: zstd:6, 10 Gbit/s: store.",
        compress.reason());
  }

  @Test
  void callsACodecWorseOnlyWhenItIsSoAtTheLowEndOfTheBestToo() {
    Map<SealVariant, List<Series>> measured = new LinkedHashMap<>();
    List<Series> best = List.of(about(600), about(6), new Series(List.of(1.5, 1.8, 2.1)));
    measured.put(plain("zstd:2"), best);
    // Delivers 500 MB/s; the best one 511 to 716.
    measured.put(plain("zstd:1"), figures(500, 6));
    SealConclusions found = conclusions(measured);
    Conclusion usual =
        found.conclusions().stream()
            .filter(conclusion -> conclusion.text().startsWith("1 Gbit/s: "))
            .findFirst()
            .orElseThrow();
    assertTrue(usual.text().startsWith("1 Gbit/s: zstd:2"), usual.text());
    assertEquals(Certainty.TOO_NOISY, usual.certainty());
    assertEquals(List.of(), found.recommendations());
  }

  @Test
  void recommendsNothingWhenItIsTooNoisy() {
    Map<SealVariant, List<Series>> measured = new LinkedHashMap<>();
    Series wide = new Series(List.of(1.0, 2.0, 5.0));
    measured.put(plain("zstd:1"), List.of(about(500), about(6), wide));
    measured.put(plain("zstd:2"), List.of(about(500), about(6), wide));
    SealConclusions found = conclusions(measured);
    assertEquals(Certainty.TOO_NOISY, found.conclusions().getLast().certainty());
    assertEquals(List.of(), found.recommendations());
  }

  private static SealConclusions conclusions(Map<SealVariant, List<Series>> measured) {
    return new SealConclusions(SealTables.sealing(measured), SealTables.uplinks(measured));
  }
}
