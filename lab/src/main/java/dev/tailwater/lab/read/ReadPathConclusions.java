package dev.tailwater.lab.read;

import static dev.tailwater.lab.read.ReadPathTable.COLD;
import static dev.tailwater.lab.read.ReadPathTable.HOT;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.read.ReadPathTable.Variant;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import dev.tailwater.lab.result.ResultTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The conclusions from the table of {@code read-path}. */
final class ReadPathConclusions {
  /**
   * The article's figure: the critical read is 25 % faster than each of the JDK's ways into an
   * array.
   */
  private static final double ARTICLE_CRITICAL = 1.25;

  /** The smallest gain that is worth changing a program. */
  private static final double WORTH_WHILE = 1.2;

  /**
   * Ways into an array that can be recommended. Others are not safe: a bare critical read of bytes
   * outside the page cache delays the collector, and native code crashes on a mapping whose file is
   * truncated.
   */
  private static final List<String> SAFE =
      List.of(ReadWay.STREAM, ReadWay.HEAP_CHANNEL, ReadWay.OURS, ReadWay.MAPPED);

  private final ResultTable table;
  private final List<String> sizes;

  /**
   * @param sizes from small to large
   */
  ReadPathConclusions(ResultTable table, List<String> sizes) {
    this.table = table;
    this.sizes = sizes;
  }

  List<Conclusion> all() {
    List<Conclusion> all = new ArrayList<>();
    String large = sizes.getLast();
    for (String size : sizes) {
      fasterThanTheArticlesRest(size, ReadWay.STREAM).ifPresent(all::add);
      fasterThanTheArticlesRest(size, ReadWay.HEAP_CHANNEL).ifPresent(all::add);
      compared(ReadWay.OURS, ReadWay.CRITICAL, size, HOT).ifPresent(all::add);
    }
    compared(ReadWay.KEPT_STREAMING, ReadWay.CRITICAL, large, HOT).ifPresent(all::add);
    compared(ReadWay.MAPPED_STREAMING, ReadWay.CRITICAL, large, HOT).ifPresent(all::add);
    compared(ReadWay.MAPPED_STREAMING, ReadWay.MAPPED, large, HOT).ifPresent(all::add);
    faults(large).ifPresent(all::add);
    compared(ReadWay.OURS, ReadWay.STREAM, large, COLD).ifPresent(all::add);
    compared(ReadWay.MAPPED, ReadWay.STREAM, large, COLD).ifPresent(all::add);
    for (String way : List.of(ReadWay.CRITICAL, ReadWay.OURS, ReadWay.MAPPED)) {
      disturbed(way, large, HOT).ifPresent(all::add);
      disturbed(way, large, COLD).ifPresent(all::add);
    }
    return all;
  }

  private Optional<Conclusion> fasterThanTheArticlesRest(String size, String rest) {
    Optional<Contender> critical = throughput(ReadWay.CRITICAL, size, HOT);
    Optional<Contender> other = throughput(rest, size, HOT);
    return verdict(
        ReadPathTable.THROUGHPUT,
        critical.map(found -> with(found, ARTICLE_CRITICAL)),
        other.map(found -> with(found, 1)));
  }

  private static Contender with(Contender contender, double article) {
    return new Contender(contender.name(), contender.series(), OptionalDouble.of(article));
  }

  private Optional<Conclusion> compared(String one, String other, String size, String cache) {
    return verdict(
        ReadPathTable.THROUGHPUT, throughput(one, size, cache), throughput(other, size, cache));
  }

  private Optional<Contender> throughput(String way, String size, String cache) {
    return ReadPathTable.contender(table, ReadPathTable.THROUGHPUT, new Variant(way, size, cache));
  }

  private static Optional<Conclusion> verdict(
      Quantity quantity, Optional<Contender> one, Optional<Contender> other) {
    return one.isEmpty() || other.isEmpty()
        ? Optional.empty()
        : Optional.of(Verdict.of(quantity, one.get(), other.get()));
  }

  /** Concludes the number of page faults. They are counted, so nothing is uncertain. */
  private Optional<Conclusion> faults(String size) {
    Optional<Contender> mapped = faults(ReadWay.MAPPED_STREAMING, size);
    Optional<Contender> critical = faults(ReadWay.CRITICAL, size);
    return mapped.isEmpty() || critical.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Conclusion.shown(
                "%s has %s page faults for each MiB, %s has %s."
                    .formatted(
                        mapped.get().name(),
                        Figures.text(mapped.get().series().median()),
                        critical.get().name(),
                        Figures.text(critical.get().series().median()))));
  }

  private Optional<Contender> faults(String way, String size) {
    return ReadPathTable.contender(table, ReadPathTable.FAULTS, new Variant(way, size, HOT));
  }

  /** Concludes whether such reads delay the garbage collector, from the rounds that had both. */
  private Optional<Conclusion> disturbed(String way, String size, String cache) {
    return verdict(
        ReadPathTable.COLLECTION,
        ReadPathTable.contender(table, ReadPathTable.COLLECTION, new Variant(way, size, cache)),
        Contender.of(
            ReadPathTable.NOBODY,
            table,
            ReadPathTable.COLLECTION.name(),
            Map.of(ReadPathTable.WAY, ReadPathTable.NOBODY, ReadPathTable.CACHE, cache)));
  }

  /** Recommends the fastest safe method into an array, if it was shown to be clearly faster. */
  List<Recommendation> recommendations() {
    return sizes.stream().flatMap(size -> recommendation(size).stream()).toList();
  }

  private Optional<Recommendation> recommendation(String size) {
    Optional<Contender> usual = throughput(ReadWay.STREAM, size, HOT);
    Optional<String> best =
        SAFE.stream()
            .filter(way -> throughput(way, size, HOT).isPresent())
            .max(
                Comparator.comparingDouble(
                    way -> throughput(way, size, HOT).orElseThrow().series().median()));
    if (usual.isEmpty() || best.isEmpty() || best.get().equals(ReadWay.STREAM)) {
      return Optional.empty();
    }
    Contender fastest = throughput(best.get(), size, HOT).orElseThrow();
    Conclusion said = Verdict.of(ReadPathTable.THROUGHPUT, fastest, usual.get());
    boolean worth = fastest.series().median() > WORTH_WHILE * usual.get().series().median();
    return said.certainty() == Certainty.SHOWN && worth
        ? Optional.of(
            new Recommendation(
                Place.PROGRAM, "how to read " + size + " that is cached", best.get(), said.text()))
        : Optional.empty();
  }
}
