package dev.tailwater.lab.buffer;

import dev.tailwater.lab.buffer.TypedReadVariant.Order;
import dev.tailwater.lab.buffer.TypedReadVariant.ValueType;
import dev.tailwater.lab.buffer.TypedReadVariant.Way;
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

/** The conclusions from the table of {@code typed-read}. */
final class TypedReadConclusions {
  /** The size from which the article found no further gain. */
  private static final String BUFFER = "256 KiB";

  private final ResultTable table;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  TypedReadConclusions(ResultTable table) {
    this.table = table;
    for (ValueType type : ValueType.values()) {
      compare(Way.DIRECT, Way.HEAP, type, Order.LITTLE);
      compare(Way.DIRECT, Way.HEAP, type, Order.BIG);
      compare(Way.DIRECT, Way.STREAM, type, Order.BIG);
      if (compare(Way.STREAM, Way.UNBUFFERED, type, Order.BIG)) {
        recommend(
            "streams of " + type + "s",
            "a BufferedInputStream around that of Files.newInputStream, which has no buffer");
      }
      compare(Way.NEXT, Way.DIRECT, type, Order.LITTLE);
      if (compare(Way.FOR_EACH, Way.DIRECT, type, Order.LITTLE)) {
        recommend("files of " + type + "s", "dev.tailwater.io.buffer.ValueReader, its forEach");
      }
      enoughBuffer(type);
    }
  }

  List<Conclusion> conclusions() {
    return conclusions;
  }

  List<Recommendation> recommendations() {
    return recommendations;
  }

  /** Concludes how the two compare; returns whether the first is shown to be better. */
  private boolean compare(Way one, Way other, ValueType type, Order order) {
    Optional<Contender> first = contender(one, type, order);
    Optional<Contender> second = contender(other, type, order);
    if (first.isEmpty() || second.isEmpty()) {
      return false;
    }
    conclusions.add(Verdict.of(TypedReadTable.FILES, first.get(), second.get()));
    return Comparison.of(first.get().series(), second.get().series())
        .isShownBetter(TypedReadTable.FILES);
  }

  private Optional<Contender> contender(Way way, ValueType type, Order order) {
    return contender(
        "%s, %s, %s".formatted(way, order, type),
        way,
        type,
        order,
        way == Way.UNBUFFERED ? TypedReadVariant.NO_BUFFER : BUFFER);
  }

  private Optional<Contender> contender(
      String name, Way way, ValueType type, Order order, String buffer) {
    return Contender.of(
        name,
        table,
        TypedReadTable.FILES.name(),
        Map.of(
            TypedReadTable.WAY,
            way.toString(),
            TypedReadTable.TYPE,
            type.toString(),
            TypedReadTable.ORDER,
            order.toString(),
            TypedReadTable.BUFFER,
            buffer));
  }

  /** Recommends a setting because of the last conclusion. */
  private void recommend(String key, String value) {
    recommendations.add(
        new Recommendation(Recommendation.Place.PROGRAM, key, value, conclusions.getLast().text()));
  }

  /** Concludes the smallest direct buffer with which as many files are read as with the best. */
  private void enoughBuffer(ValueType type) {
    List<Contender> sizes =
        table.rows().stream()
            .map(row -> row.parameters().get(table.parameters().indexOf(TypedReadTable.BUFFER)))
            .distinct()
            .map(buffer -> contender(buffer, Way.DIRECT, type, Order.LITTLE, buffer))
            .flatMap(Optional::stream)
            .toList();
    if (sizes.size() < 2) {
      return;
    }
    Contender best =
        sizes.stream()
            .max(Comparator.comparingDouble(size -> size.series().median()))
            .orElseThrow();
    for (Contender size : sizes) {
      Certainty found = Comparison.of(size.series(), best.series()).certainty();
      boolean enough = size.equals(best) || found == Certainty.NO_DIFFERENCE;
      if (enough || found == Certainty.TOO_NOISY) {
        conclusions.add(
            new Conclusion(
                enough ? Certainty.SHOWN : Certainty.TOO_NOISY,
                "%s: %s %s is enough for a direct buffer (%s files a second; %s with %s)."
                    .formatted(
                        type,
                        enough ? "" : "too noisy to conclude whether",
                        size.name(),
                        Figures.text(size.series().median()),
                        Figures.text(best.series().median()),
                        best.name())
                    .replace(":  ", ": ")));
        return;
      }
    }
  }
}
