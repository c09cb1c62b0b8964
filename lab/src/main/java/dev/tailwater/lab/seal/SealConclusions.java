package dev.tailwater.lab.seal;

import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The conclusions from the tables of {@code seal}. */
final class SealConclusions {
  /** The part of the best codec's delivery that is good enough for a codec that takes less time. */
  private static final double ENOUGH = 0.95;

  /** The slowest uplink that most machines in a cloud have. */
  private static final Uplink USUAL = Uplink.GBIT_1;

  /** The default codec of ship. */
  private static final String STANDARD = "zstd:1";

  /** The best codec for an uplink. */
  private record Wanted(Uplink uplink, String codec, Conclusion conclusion) {
    /** Returns a short form: {@code 10 Mbit/s: zstd:6}. */
    String inShort() {
      return uplink
          + ": "
          + (conclusion.certainty() == Certainty.SHOWN ? codec : "too noisy to conclude");
    }
  }

  private final ResultTable sealing;
  private final ResultTable uplinks;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  SealConclusions(ResultTable sealing, ResultTable uplinks) {
    this.sealing = sealing;
    this.uplinks = uplinks;
    compare("zstd:1", "none", "gzip:1", "none");
    compare("zstd:3", "none", "zstd:1", "none");
    compare("zstd:1", "age", "zstd:1", "none");
    List<Wanted> wanted = wanted();
    wanted.forEach(one -> conclusions.add(one.conclusion()));
    wanted.stream()
        .filter(one -> one.uplink() == USUAL)
        .filter(one -> one.conclusion().certainty() == Certainty.SHOWN)
        .filter(one -> !one.codec().equals(STANDARD))
        .forEach(one -> recommendations.add(compress(one, wanted)));
  }

  List<Conclusion> conclusions() {
    return conclusions;
  }

  List<Recommendation> recommendations() {
    return recommendations;
  }

  private List<Wanted> wanted() {
    return Stream.of(Uplink.values()).map(this::wanted).toList();
  }

  /**
   * Returns which codec each uplink wants, in one sentence; as certain as it is for the uplink that
   * most machines have.
   */
  Optional<Conclusion> verdict() {
    List<Wanted> wanted = wanted();
    Certainty certainty =
        wanted.stream()
            .filter(one -> one.uplink() == USUAL)
            .map(one -> one.conclusion().certainty())
            .findFirst()
            .orElse(Certainty.TOO_NOISY);
    String all = wanted.stream().map(Wanted::inShort).collect(Collectors.joining(", "));
    return wanted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Conclusion(certainty, "The least processor time for each uplink: " + all + "."));
  }

  private void compare(String codec, String encryption, String other, String otherEncryption) {
    Optional<Contender> first = contender(codec, encryption);
    Optional<Contender> second = contender(other, otherEncryption);
    if (first.isPresent() && second.isPresent()) {
      conclusions.add(Verdict.of(SealTables.PROCESSOR, first.get(), second.get()));
    }
  }

  private Optional<Contender> contender(String codec, String encryption) {
    return Contender.of(
        codec + (encryption.equals("none") ? "" : ", encrypted"),
        sealing,
        SealTables.PROCESSOR.name(),
        Map.of(SealTables.CODEC, codec, SealTables.ENCRYPTION, encryption));
  }

  /**
   * Returns the codec that takes the least time of those that deliver about as much as the best
   * one.
   */
  private Wanted wanted(Uplink uplink) {
    Series best =
        codecs().stream()
            .map(codec -> delivered(uplink, codec))
            .max(Comparator.comparingDouble(Series::median))
            .orElseThrow();
    String wanted =
        codecs().stream()
            .filter(codec -> delivered(uplink, codec).median() >= ENOUGH * best.median())
            .min(Comparator.comparingDouble(codec -> processor(codec).median()))
            .orElseThrow();
    Certainty certainty = certainty(uplink, wanted, best);
    String text =
        "%s: %s delivers %s MB/s of files with %s s of processor time a GiB; the most that any codec delivers is %s MB/s%s."
            .formatted(
                uplink,
                wanted,
                Figures.text(delivered(uplink, wanted).median()),
                Figures.text(processor(wanted).median()),
                Figures.text(best.median()),
                certainty == Certainty.SHOWN
                    ? ""
                    : ", but it is too noisy to conclude that no other is as good");
    return new Wanted(uplink, wanted, new Conclusion(certainty, text));
  }

  private static Recommendation compress(Wanted usual, List<Wanted> all) {
    String others =
        all.stream()
            .filter(one -> one.uplink() != USUAL)
            .map(Wanted::inShort)
            .collect(Collectors.joining(", "));
    return new Recommendation(
        Recommendation.Place.CONFIGURATION,
        "compress",
        usual.codec(),
        "For an uplink of %s The default is %s. For other uplinks: %s."
            .formatted(usual.conclusion().text(), STANDARD, others));
  }

  /**
   * Returns {@code SHOWN} if every other codec delivers too little, takes more time, or makes no
   * difference.
   */
  private Certainty certainty(Uplink uplink, String wanted, Series best) {
    for (String codec : codecs()) {
      if (!codec.equals(wanted)) {
        boolean less = isLess(delivered(uplink, codec), best);
        Comparison time = Comparison.of(processor(wanted), processor(codec));
        if (!less && !isSettled(time, SealTables.PROCESSOR)) {
          return Certainty.TOO_NOISY;
        }
      }
    }
    return Certainty.SHOWN;
  }

  private static boolean isLess(Series delivered, Series best) {
    return delivered.interval().high() < ENOUGH * best.interval().low()
        && delivered.samples().size() >= 3;
  }

  private static boolean isSettled(Comparison comparison, Quantity quantity) {
    return comparison.isShownBetter(quantity) || comparison.certainty() == Certainty.NO_DIFFERENCE;
  }

  private List<String> codecs() {
    return uplinks.rows().stream().map(row -> row.parameters().get(1)).distinct().toList();
  }

  private Series delivered(Uplink uplink, String codec) {
    return uplinks
        .series(
            SealTables.DELIVERED.name(),
            Map.of(SealTables.UPLINK, uplink.toString(), SealTables.CODEC, codec))
        .orElseThrow();
  }

  private Series processor(String codec) {
    return sealing
        .series(
            SealTables.PROCESSOR.name(),
            Map.of(SealTables.CODEC, codec, SealTables.ENCRYPTION, "none"))
        .orElseThrow();
  }
}
