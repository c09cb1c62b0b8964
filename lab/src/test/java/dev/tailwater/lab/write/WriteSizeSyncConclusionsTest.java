package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.mount.NfsMount;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class WriteSizeSyncConclusionsTest {
  private static final int REQUEST_BYTES = 128 << 10;

  private final Map<List<String>, List<Series>> measured = new LinkedHashMap<>();

  private String mount = WriteSizeSyncTable.SYNCHRONOUS;

  private void row(String way, String size, double requests, double throughput) {
    measured.put(
        List.of(mount, way, size),
        List.of(
            new Series(List.of(requests, requests, requests)),
            new Series(List.of(throughput * 0.99, throughput, throughput * 1.01))));
  }

  private WriteSizeSyncConclusions conclusions() {
    ResultTable table = WriteSizeSyncTable.of(measured);
    return new WriteSizeSyncConclusions(table, mount, REQUEST_BYTES);
  }

  @Test
  void recommendsWholeRequestsWhereTheyAreFaster() {
    row(SyncWay.STREAM, "8 KiB", 128, 5);
    row(SyncWay.STREAM, "128 KiB", 8, 80);
    row(SyncWay.BLOCK_WRITER, "8 KiB", 8, 79);

    List<Conclusion> said = conclusions().all();

    assertEquals(
        "BufferedOutputStream makes of a MiB 128 WRITE requests in writes of 8 KiB (article: 128),"
            + " 8 WRITE requests in writes of 128 KiB (article: 8); 8 would do.",
        said.get(0).text());
    assertEquals(
        "BlockWriter makes 8 WRITE requests of a MiB, the fewest that are possible.",
        said.get(1).text());
    assertEquals(
        "BufferedOutputStream of 128 KiB: 16 × the throughput of BufferedOutputStream of 8 KiB"
            + " (80 against 5 MB/s); the article had 4.67 ×: here it matters more.",
        said.get(2).text());
    Recommendation recommended = conclusions().recommendations().getFirst();
    assertEquals("128 KiB", recommended.value());
    assertTrue(recommended.reason().contains("79 against 5 MB/s"), recommended.reason());
  }

  @Test
  void recommendsNothingWhereTheSizeDoesNotMatter() {
    row(SyncWay.STREAM, "8 KiB", 128, 80);
    row(SyncWay.STREAM, "128 KiB", 8, 80);
    row(SyncWay.BLOCK_WRITER, "8 KiB", 16, 80);
    row(SyncWay.BLOCK_WRITER, "64 KiB", 16, 80);

    assertEquals(List.of(), conclusions().recommendations());
    assertEquals(
        "BlockWriter makes 16 WRITE requests of a MiB whatever the size of a write.",
        conclusions().all().get(1).text());
    assertTrue(
        conclusions().all().stream().anyMatch(said -> said.certainty() == Certainty.NO_DIFFERENCE));
  }

  @Test
  void concludesOfAStandInOnlyWhatWasCounted() {
    mount = WriteSizeSyncTable.STAND_IN;
    row(SyncWay.STREAM, "8 KiB", 128, 5);
    row(SyncWay.STREAM, "128 KiB", 8, 80);
    row(SyncWay.BLOCK_WRITER, "8 KiB", 8, 79);
    row(SyncWay.FILE_COPY, SyncWay.OWN_SIZE, 8, 79);

    assertEquals(
        List.of(
            "BufferedOutputStream makes of a MiB 128 WRITE requests in writes of 8 KiB (article:"
                + " 128), 8 WRITE requests in writes of 128 KiB (article: 8); 8 would do.",
            "BlockWriter makes 8 WRITE requests of a MiB, the fewest that are possible.",
            "FileCopy makes 8 WRITE requests of a MiB, the fewest that are possible."),
        conclusions().all().stream().map(Conclusion::text).toList());
    Recommendation recommended = conclusions().recommendations().getFirst();
    assertEquals("the mount's wsize", recommended.value());
    assertTrue(recommended.reason().contains("makes 128 WRITE requests"), recommended.reason());
    assertFalse(recommended.reason().contains("MB/s"), recommended.reason());
  }

  @Test
  void hasNoFiguresOfTheArticleBesideAnNfsThatIsNotSynchronous() {
    mount = WriteSizeSyncTable.NOT_SYNCHRONOUS;
    row(SyncWay.STREAM, "8 KiB", 8, 79);
    row(SyncWay.STREAM, "128 KiB", 8, 80);

    assertFalse(
        conclusions().all().stream().anyMatch(said -> said.text().contains("article")),
        () -> "" + conclusions().all());
    assertTrue(
        WriteSizeSyncTable.of(measured).rows().stream()
            .flatMap(row -> row.article().stream())
            .allMatch(OptionalDouble::isEmpty));
  }

  @Test
  void advisesOnOptionsOfTheMountThatTheFiguresSpeakAgainst() {
    row(SyncWay.STREAM, "8 KiB", 128, 5);
    row(SyncWay.BLOCK_WRITER, "8 KiB", 8, 79);

    assertEquals(
        List.of("mount option wsize", "mount option noac"),
        advised(new NfsMount("4.1", 131_072, 131_072, true, true)));
    assertEquals(List.of(), advised(new NfsMount("4.1", 1 << 20, 1 << 20, false, true)));
    measured.clear();
    row(SyncWay.STREAM, "8 KiB", 8, 79);
    row(SyncWay.BLOCK_WRITER, "8 KiB", 8, 79);
    assertEquals(List.of(), advised(new NfsMount("4.1", 131_072, 131_072, true, true)));
  }

  private List<String> advised(NfsMount options) {
    return new NfsAdvice(conclusions())
        .recommendations(options).stream().map(Recommendation::key).toList();
  }
}
