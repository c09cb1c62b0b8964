package dev.tailwater.lab.change;

import dev.tailwater.lab.change.ChangeTable.Load;
import dev.tailwater.lab.change.ChangeTable.Variant;
import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The conclusions from the table of {@code change-detection}. Article 004, on Linux 5.3: inotify
 * takes considerably less processor time than polling when few files change, nearly half when every
 * file changes once a second, and more when each changes ten times a second.
 */
final class ChangeConclusions {
  /** The smallest gain that is worth changing a program. */
  private static final double WORTH_WHILE = 1.2;

  static final double ARTICLE_ONCE = 0.5;

  /** The part of the wanted writes below which the load counts as a different one. */
  private static final double AS_ASKED = 0.95;

  private final ResultTable table;
  private final List<Load> loads;
  private final int allFiles;

  /**
   * @param allFiles how many are watched
   */
  ChangeConclusions(ResultTable table, List<Load> loads, int allFiles) {
    this.table = table;
    this.loads = loads;
    this.allFiles = allFiles;
  }

  List<Conclusion> all() {
    List<Conclusion> all = new ArrayList<>();
    for (Load load : loads) {
      inotifyAgainstPolling(load).ifPresent(all::add);
      compared(load, ChangeWay.WATCH_SERVICE, ChangeWay.INOTIFY).ifPresent(all::add);
      hybridAgainstTheBest(load).ifPresent(all::add);
      latencies(load).ifPresent(all::add);
      overflows(load).ifPresent(all::add);
    }
    return all;
  }

  private Optional<Conclusion> inotifyAgainstPolling(Load load) {
    boolean isArticles =
        load.files() == allFiles && load.writesPerFileAndSecond() == 1 && isAsAsked(load);
    Optional<Contender> inotify = contender(load, ChangeWay.INOTIFY);
    Optional<Contender> polling = contender(load, ChangeWay.POLLING);
    return compared(
            load,
            isArticles ? inotify.map(found -> with(found, ARTICLE_ONCE)) : inotify,
            isArticles ? polling.map(found -> with(found, 1)) : polling)
        .map(said -> new Conclusion(said.certainty(), said.text() + article(load)));
  }

  private static Contender with(Contender contender, double article) {
    return new Contender(contender.name(), contender.series(), OptionalDouble.of(article));
  }

  /** Describes the load as it was: a busy or slow machine writes less than wanted. */
  private String words(Load load) {
    OptionalDouble written = writtenPerSecond(load);
    return written.isEmpty() || isAsAsked(load)
        ? load.words()
        : "%s as asked, but only %s writes a second of %s came about"
            .formatted(
                load.words(),
                Figures.text(written.getAsDouble()),
                Figures.text(load.writesPerSecond()));
  }

  private boolean isAsAsked(Load load) {
    return writtenPerSecond(load).orElse(0) >= AS_ASKED * load.writesPerSecond();
  }

  /** Returns the smallest load that any of the methods had. */
  private OptionalDouble writtenPerSecond(Load load) {
    return Arrays.stream(ChangeWay.values())
        .flatMap(way -> series(load, way, ChangeTable.WRITTEN.name()).stream())
        .mapToDouble(Series::median)
        .min();
  }

  /** Returns what the article says without a figure. */
  private String article(Load load) {
    if (!isAsAsked(load)) {
      return "";
    }
    if (load.files() <= allFiles / 100 && load.writesPerFileAndSecond() <= 1) {
      return " The article had considerably less.";
    }
    return load.files() == allFiles && load.writesPerFileAndSecond() >= 10
        ? " The article had more."
        : "";
  }

  private Optional<Conclusion> compared(Load load, ChangeWay one, ChangeWay other) {
    return compared(load, contender(load, one), contender(load, other));
  }

  private Optional<Conclusion> compared(
      Load load, Optional<Contender> one, Optional<Contender> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    Conclusion said = Verdict.of(ChangeTable.PROCESSOR, one.get(), other.get());
    return Optional.of(new Conclusion(said.certainty(), words(load) + ": " + said.text()));
  }

  private Optional<Contender> contender(Load load, ChangeWay way) {
    return ChangeTable.contender(table, load, way);
  }

  private Optional<Conclusion> hybridAgainstTheBest(Load load) {
    Optional<Contender> best =
        Arrays.stream(ChangeWay.values())
            .filter(way -> way != ChangeWay.HYBRID)
            .flatMap(way -> contender(load, way).stream())
            .min(Comparator.comparingDouble(contender -> contender.series().median()));
    return compared(load, contender(load, ChangeWay.HYBRID), best);
  }

  /** Concludes how soon each method reports a change. */
  private Optional<Conclusion> latencies(Load load) {
    Map<ChangeWay, Series> medians = new EnumMap<>(ChangeWay.class);
    for (ChangeWay way : ChangeWay.values()) {
      series(load, way, ChangeTable.MEDIAN.name()).ifPresent(series -> medians.put(way, series));
    }
    boolean enough = medians.values().stream().allMatch(Comparison::isEnough);
    String text =
        medians.entrySet().stream()
            .map(it -> it.getKey().words() + " " + Figures.text(it.getValue().median()))
            .collect(Collectors.joining(", "));
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Conclusion(
                enough ? Certainty.SHOWN : Certainty.TOO_NOISY,
                words(load) + ": half of the changes were known after, in ms: " + text + "."));
  }

  private Optional<Conclusion> overflows(Load load) {
    List<String> overflowed =
        Arrays.stream(ChangeWay.values())
            .filter(
                way ->
                    series(load, way, ChangeTable.OVERFLOWS.name())
                        .filter(series -> series.median() > 0)
                        .isPresent())
            .map(ChangeWay::words)
            .toList();
    return overflowed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Conclusion.shown(
                "%s: %s lost count of what had changed, and had to look at everything."
                    .formatted(words(load), String.join(" and ", overflowed))));
  }

  private Optional<Series> series(Load load, ChangeWay way, String quantity) {
    return table.series(quantity, new Variant(load, way).wanted());
  }

  /** Recommends the cheapest method for each load where it was shown to be cheaper than polling. */
  List<Recommendation> recommendations() {
    return loads.stream().flatMap(load -> recommendation(load).stream()).toList();
  }

  private Optional<Recommendation> recommendation(Load load) {
    Optional<Contender> polling = contender(load, ChangeWay.POLLING);
    Optional<Contender> best =
        Arrays.stream(ChangeWay.values())
            .flatMap(way -> contender(load, way).stream())
            .min(Comparator.comparingDouble(contender -> contender.series().median()));
    if (polling.isEmpty() || best.isEmpty()) {
      return Optional.empty();
    }
    Comparison comparison = Comparison.of(polling.get().series(), best.get().series());
    return comparison.certainty() == Certainty.SHOWN && comparison.ratio() > WORTH_WHILE
        ? Optional.of(
            new Recommendation(
                Place.PROGRAM,
                "how to know of changes (" + words(load) + ")",
                best.get().name(),
                Verdict.of(ChangeTable.PROCESSOR, best.get(), polling.get()).text()))
        : Optional.empty();
  }
}
