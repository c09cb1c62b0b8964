package dev.tailwater.lab.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.change.ChangeTable.Load;
import dev.tailwater.lab.change.ChangeTable.Variant;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Recommendation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ChangeConclusionsTest {
  private static final Load ONCE = new Load(10_000, 1);

  private final Map<Variant, List<double[]>> measured = new LinkedHashMap<>();

  /** The part of the writes that were asked for. */
  private double written = 0.96;

  private void row(Load load, ChangeWay way, double processor, double overflows) {
    List<double[]> samples = new ArrayList<>();
    for (double factor : new double[] {0.99, 1, 1.01}) {
      samples.add(
          new double[] {
            processor * factor, 5, 9, 100, written * load.writesPerSecond(), overflows
          });
    }
    measured.put(new Variant(load, way), samples);
  }

  private ChangeConclusions conclusions(Load load) {
    return new ChangeConclusions(ChangeTable.of(measured), List.of(load), 10_000);
  }

  private List<String> said(Load load) {
    return conclusions(load).all().stream().map(Conclusion::text).toList();
  }

  @Test
  void agreesWithTheArticleWhereItDoes() {
    row(ONCE, ChangeWay.POLLING, 2, 0);
    row(ONCE, ChangeWay.INOTIFY, 1, 3);
    row(ONCE, ChangeWay.HYBRID, 0.5, 0);

    assertEquals(
        "10000 files, each changing 1 × a second: inotify, per event: 0.5 × the processor of"
            + " polling (1 against 2 % of one); the article had 0.5 ×, about the same.",
        said(ONCE).getFirst());
    assertTrue(
        said(ONCE)
            .contains(
                "10000 files, each changing 1 × a second: hybrid (ours): 0.5 × the processor of"
                    + " inotify, per event (0.5 against 1 % of one)."),
        said(ONCE)::toString);
    assertTrue(said(ONCE).getLast().contains("inotify, per event lost count"));
    assertEquals(
        List.of("hybrid (ours)"),
        conclusions(ONCE).recommendations().stream().map(Recommendation::value).toList());
  }

  @Test
  void speaksOfTheLoadThatWasAndNotOfTheOneThatWasAskedFor() {
    written = 0.83;
    row(ONCE, ChangeWay.POLLING, 2, 0);
    row(ONCE, ChangeWay.INOTIFY, 1, 0);

    assertEquals(
        "10000 files, each changing 1 × a second as asked, but only 8300 writes a second of 10000"
            + " came about: inotify, per event: 0.5 × the processor of polling"
            + " (1 against 2 % of one).",
        said(ONCE).getFirst());

    Load often = new Load(10_000, 10);
    row(often, ChangeWay.POLLING, 1, 0);
    row(often, ChangeWay.INOTIFY, 5, 0);
    assertFalse(said(often).getFirst().contains("article"), said(often)::toString);
  }

  @Test
  void saysTheOppositeWhereTheFiguresDo() {
    row(ONCE, ChangeWay.POLLING, 1, 0);
    row(ONCE, ChangeWay.INOTIFY, 2, 0);

    assertTrue(
        said(ONCE).getFirst().endsWith("the article had 0.5 ×: here it is the other way round."),
        said(ONCE)::toString);
    assertEquals(List.of(), conclusions(ONCE).recommendations());
  }

  @Test
  void recallsWhatTheArticleHasWithoutFigures() {
    Load few = new Load(10, 1);
    row(few, ChangeWay.POLLING, 1, 0);
    row(few, ChangeWay.INOTIFY, 0.2, 0);
    assertTrue(said(few).getFirst().endsWith("The article had considerably less."));

    Load often = new Load(10_000, 10);
    row(often, ChangeWay.POLLING, 1, 0);
    row(often, ChangeWay.INOTIFY, 5, 0);
    assertTrue(said(often).getFirst().endsWith("The article had more."));
  }

  @Test
  void comparesWithNothingWhereNothingWasNeeded() {
    row(ONCE, ChangeWay.POLLING, 0, 0);
    row(ONCE, ChangeWay.INOTIFY, 2, 0);

    assertTrue(
        said(ONCE)
            .getFirst()
            .contains("inotify, per event and polling differ in processor (2 against 0 % of one)"),
        said(ONCE)::toString);
  }
}
