package dev.tailwater.lab.destination;

import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conclusions from the table of {@code destination}. */
final class DestinationConclusions {
  /** The most puts that {@code ship} has in progress. */
  private static final int MOST_PUTS_OF_SHIP = 8;

  /** The default segment_size of ship. */
  private static final String STANDARD = "8 MiB";

  private final ResultTable table;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  /** Takes a table whose rows have ascending sizes. */
  DestinationConclusions(ResultTable table) {
    this.table = table;
    List<String> sizes = distinct(0);
    List<String> parallel = distinct(1);
    if (parallel.size() > 1) {
      for (String size : sizes) {
        conclusions.add(
            Verdict.of(
                DestinationTable.THROUGHPUT,
                contender(size, parallel.getLast()),
                contender(size, parallel.getFirst())));
      }
    }
    if (sizes.size() > 1) {
      enough(sizes, asShipHas(parallel));
    }
  }

  List<Conclusion> conclusions() {
    return conclusions;
  }

  List<Recommendation> recommendations() {
    return recommendations;
  }

  /** Returns the largest number of puts at a time that ship may have. */
  private static String asShipHas(List<String> parallel) {
    return parallel.stream()
        .filter(puts -> Integer.parseInt(puts) <= MOST_PUTS_OF_SHIP)
        .max(Comparator.comparingInt(Integer::parseInt))
        .orElse(parallel.getFirst());
  }

  private List<String> distinct(int column) {
    return table.rows().stream().map(row -> row.parameters().get(column)).distinct().toList();
  }

  private Contender contender(String size, String parallel) {
    return Contender.of(
            "segments of " + size + ", " + parallel + " at a time",
            table,
            DestinationTable.THROUGHPUT.name(),
            Map.of(DestinationTable.SIZE, size, DestinationTable.PARALLEL, parallel))
        .orElseThrow();
  }

  /**
   * Recommends the smallest segments with the best throughput, because they put fewer bytes at
   * risk.
   */
  private void enough(List<String> sizes, String parallel) {
    Contender best =
        sizes.stream()
            .map(size -> contender(size, parallel))
            .max(Comparator.comparingDouble(contender -> contender.series().median()))
            .orElseThrow();
    Optional<String> unclear = Optional.empty();
    for (String size : sizes) {
      Contender here = contender(size, parallel);
      Certainty found = Comparison.of(here.series(), best.series()).certainty();
      boolean isBest = here.equals(best);
      if ((isBest || found == Certainty.NO_DIFFERENCE) && unclear.isEmpty()) {
        isEnough(size, here, best);
        return;
      }
      if (found == Certainty.TOO_NOISY && unclear.isEmpty()) {
        unclear = Optional.of(size);
      }
    }
    conclusions.add(
        new Conclusion(
            Certainty.TOO_NOISY,
            "Too noisy to conclude whether segments of %s are enough, or only those of %s."
                .formatted(
                    unclear.orElseThrow(),
                    best.name().substring("segments of ".length(), best.name().indexOf(',')))));
  }

  private void isEnough(String size, Contender here, Contender best) {
    String text =
        here.equals(best)
            ? "%s have the most throughput of all (%s MB/s); smaller ones have less."
                .formatted(here.name(), Figures.text(here.series().median()))
            : "%s are enough (%s MB/s; %s MB/s with %s), and leave less at risk than larger ones."
                .formatted(
                    here.name(),
                    Figures.text(here.series().median()),
                    Figures.text(best.series().median()),
                    best.name());
    if (!Comparison.isEnough(here.series())) { // Time was up.
      conclusions.add(new Conclusion(Certainty.TOO_NOISY, "From too few samples: " + text));
      return;
    }
    conclusions.add(Conclusion.shown(text));
    if (!size.equals(STANDARD)) {
      recommendations.add(
          new Recommendation(
              Recommendation.Place.CONFIGURATION, "segment_size", size.replace(" ", ""), text));
    }
  }
}
