package dev.tailwater.lab.identity;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The table of {@code file-identity}. Article 004 shows its times only in pictures. In words it
 * says that with everything cached fstat is 40 % cheaper than stat. It also says that open and
 * fstat cost more than twice a stat, and that reading a first page costs nearly half of open and
 * fstat; these are no exact figures, so {@link FileIdentityConclusions} has them.
 */
final class FileIdentityTable {
  static final String TITLE = "Time to know which file it is";
  static final String WARM = "warm";
  static final String COLD = "cold";
  static final Quantity TIME = Quantity.less("time", "µs");
  static final Quantity TO_STAT = Quantity.less("compared with stat", "times");

  private static final Map<IdentityWay, Double> ARTICLE_TO_STAT =
      Map.of(
          IdentityWay.STAT, 1.0,
          IdentityWay.FSTAT, 0.6);

  /** One variant. */
  record Variant(IdentityWay way, String names) {}

  private FileIdentityTable() {}

  static ResultTable of(Map<Variant, List<Series>> micros) {
    List<Row> rows = new ArrayList<>();
    micros.forEach(
        (variant, series) -> {
          Variant stat = new Variant(IdentityWay.STAT, variant.names());
          List<Series> reference = Objects.requireNonNull(micros.get(stat));
          double article =
              variant.names().equals(WARM)
                  ? ARTICLE_TO_STAT.getOrDefault(variant.way(), Double.NaN)
                  : Double.NaN;
          rows.add(
              Row.of(
                  List.of(variant.way().words(), variant.names()),
                  List.of(series.getFirst(), series.getFirst().dividedBy(reference.getFirst())),
                  Double.NaN,
                  article));
        });
    return new ResultTable(
        TITLE, List.of("way", "dentry cache"), List.of(TIME, TO_STAT), List.copyOf(rows));
  }

  /** Returns a variant by its time, with the article's figure as a multiple of stat's time. */
  static Optional<Contender> contender(ResultTable table, IdentityWay way, String names) {
    Map<String, String> wanted = Map.of("way", way.words(), "dentry cache", names);
    OptionalDouble article =
        Contender.of("", table, TO_STAT.name(), wanted)
            .map(Contender::article)
            .orElse(OptionalDouble.empty());
    return Contender.of(way.words() + ", " + names, table, TIME.name(), wanted)
        .map(found -> new Contender(found.name(), found.series(), article));
  }
}
