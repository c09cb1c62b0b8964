package dev.tailwater.lab.memory;

import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.memory.TypedReadVariant.Order;
import dev.tailwater.lab.memory.TypedReadVariant.ValueType;
import dev.tailwater.lab.memory.TypedReadVariant.Way;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What the files a second say. */
final class TypedReadConclusions {
  private static final int USUAL_BUFFER_BYTES = 256 * 1024;

  private final Map<TypedReadVariant, Series> files;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  /** All of them, of the files a second of each variant. */
  TypedReadConclusions(Map<TypedReadVariant, Series> filesPerSecond) {
    files = new LinkedHashMap<>(filesPerSecond);
    for (ValueType type : ValueType.values()) {
      compare(Way.DIRECT, Way.HEAP, type, Order.LITTLE);
      compare(Way.DIRECT, Way.HEAP, type, Order.BIG);
      compare(Way.DIRECT, Way.STREAM, type, Order.BIG);
      compare(Way.STREAM, Way.UNBUFFERED, type, Order.BIG)
          .filter(Verdict::firstIsBetter)
          .ifPresent(verdict -> recommend(type, verdict));
      compare(Way.NEXT, Way.DIRECT, type, Order.LITTLE);
      compare(Way.FOR_EACH, Way.DIRECT, type, Order.LITTLE)
          .filter(Verdict::firstIsBetter)
          .ifPresent(verdict -> recommend(type, verdict));
      enoughBuffer(type);
    }
  }

  List<Conclusion> conclusions() {
    return conclusions;
  }

  List<Recommendation> recommendations() {
    return recommendations;
  }

  private Optional<Verdict> compare(Way one, Way other, ValueType type, Order order) {
    Optional<TypedReadVariant> first = find(one, type, order);
    Optional<TypedReadVariant> second = find(other, type, order);
    if (first.isEmpty() || second.isEmpty()) {
      return Optional.empty();
    }
    OptionalDouble article = TypedReadArticle.filesPerSecond(first.get());
    OptionalDouble otherArticle = TypedReadArticle.filesPerSecond(second.get());
    Verdict verdict =
        new Verdict(
            "%s, %s, %s buffers".formatted(type, order, Figures.bytes(USUAL_BUFFER_BYTES)),
            TypedReadTable.FILES,
            new Verdict.Way(one.toString(), series(first.get())),
            new Verdict.Way(other.toString(), series(second.get())),
            article.isPresent() && otherArticle.isPresent()
                ? OptionalDouble.of(article.getAsDouble() / otherArticle.getAsDouble())
                : OptionalDouble.empty());
    conclusions.add(verdict.conclusion());
    return Optional.of(verdict);
  }

  private Optional<TypedReadVariant> find(Way way, ValueType type, Order order) {
    int bufferBytes = way == Way.UNBUFFERED ? 0 : USUAL_BUFFER_BYTES;
    return Optional.of(new TypedReadVariant(way, type, order, bufferBytes))
        .filter(files::containsKey);
  }

  private Series series(TypedReadVariant variant) {
    return Optional.ofNullable(files.get(variant)).orElseThrow();
  }

  private void recommend(ValueType type, Verdict verdict) {
    String key = verdict.one().name() + " for " + type + "s";
    String value =
        verdict.other().name().equals(Way.UNBUFFERED.toString())
            ? "wrap every stream of Files.newInputStream in a BufferedInputStream"
            : "read with dev.tailwater.io.buffer.ValueReader.forEach";
    recommendations.add(
        new Recommendation(Recommendation.Place.PROGRAM, key, value, verdict.conclusion().text()));
  }

  /** The smallest direct buffer with which as many files are read as with the best. */
  private void enoughBuffer(ValueType type) {
    TreeMap<Integer, Series> sizes = new TreeMap<>();
    files.forEach(
        (variant, series) -> {
          if (variant.way() == Way.DIRECT
              && variant.type() == type
              && variant.order() == Order.LITTLE) {
            sizes.put(variant.bufferBytes(), series);
          }
        });
    if (sizes.size() < 2) {
      return;
    }
    Entry<Integer, Series> best =
        sizes.entrySet().stream()
            .max((a, b) -> Double.compare(a.getValue().median(), b.getValue().median()))
            .orElseThrow();
    for (Entry<Integer, Series> size : sizes.entrySet()) {
      Comparison found = Comparison.of(size.getValue(), best.getValue());
      boolean enough = size.equals(best) || found.certainty() == Certainty.NO_DIFFERENCE;
      boolean unclear = !enough && found.certainty() == Certainty.TOO_NOISY;
      if (enough || unclear) {
        conclusions.add(
            new Conclusion(
                unclear ? Certainty.TOO_NOISY : Certainty.SHOWN,
                "%s: %s direct buffer of %s is enough: %s files a second, %s with %s."
                    .formatted(
                        type,
                        unclear ? "too noisy to conclude whether a" : "a",
                        Figures.bytes(size.getKey()),
                        Figures.value(size.getValue().median()),
                        Figures.value(best.getValue().median()),
                        Figures.bytes(best.getKey()))));
        return;
      }
    }
  }
}
