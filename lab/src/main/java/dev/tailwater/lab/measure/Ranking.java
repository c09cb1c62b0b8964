package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The best of several variants that were measured in turns, as far as the samples tell.
 *
 * @param best the one with the best median
 * @param rivals those that are not shown to be worse, from the best to the worst
 * @param certainty {@code SHOWN} if there are no rivals, {@code NO_DIFFERENCE} if all of them are
 *     shown to be as good
 */
public record Ranking(
    Quantity quantity, Contender best, List<Contender> rivals, Certainty certainty) {
  private static final int MOST_NAMED = 2;

  public Ranking {
    rivals = List.copyOf(rivals);
  }

  /** Ranks variants; empty if there are fewer than two. */
  public static Optional<Ranking> of(Quantity quantity, List<Contender> contenders) {
    if (contenders.size() < 2) {
      return Optional.empty();
    }
    Comparator<Contender> byMedian =
        Comparator.comparingDouble(contender -> contender.series().median());
    List<Contender> ranked =
        contenders.stream()
            .sorted(quantity.better() == Quantity.Better.MORE ? byMedian.reversed() : byMedian)
            .toList();
    Contender best = ranked.getFirst();
    List<Contender> rivals =
        ranked.stream().skip(1).filter(other -> certainty(best, other) != Certainty.SHOWN).toList();
    boolean noisy = rivals.stream().anyMatch(it -> certainty(best, it) == Certainty.TOO_NOISY);
    Certainty certainty =
        rivals.isEmpty() ? Certainty.SHOWN : noisy ? Certainty.TOO_NOISY : Certainty.NO_DIFFERENCE;
    return Optional.of(new Ranking(quantity, best, rivals, certainty));
  }

  private static Certainty certainty(Contender best, Contender other) {
    return Comparison.of(best.series(), other.series()).certainty();
  }

  /**
   * Says which is the best, in one sentence.
   *
   * @param what {@code for 64 KiB}; may be empty
   * @param reference a variant with which the best one is compared, if it is another one
   */
  public Conclusion conclusion(String what, Optional<Contender> reference) {
    String where = what.isEmpty() ? "" : " " + what;
    String text =
        switch (certainty) {
          case SHOWN -> "Best" + where + ": " + best.name();
          case NO_DIFFERENCE -> "Equally good" + where + ": " + names("and");
          case TOO_NOISY -> "Too noisy to tell which is best" + where + ": " + names("or");
        };
    String median = " (" + median(best) + " " + unit() + ")";
    return new Conclusion(certainty, text + median + compared(reference) + ".");
  }

  private String compared(Optional<Contender> reference) {
    return reference
        .filter(other -> !other.name().equals(best.name()) && !rivals.contains(other))
        .map(
            other ->
                ", %s × %s (%s)"
                    .formatted(Figures.text(ratio(best, other)), other.name(), median(other)))
        .orElse("");
  }

  private static double ratio(Contender one, Contender other) {
    return one.series().median() / other.series().median();
  }

  /** Returns the best and its rivals: {@code memcpy, MemorySegment.copy or non-temporal}. */
  private String names(String last) {
    List<String> named = new ArrayList<>();
    named.add(best.name());
    rivals.stream().limit(MOST_NAMED).forEach(rival -> named.add(rival.name()));
    int more = rivals.size() - MOST_NAMED;
    String end = more > 0 ? more + " more" : named.removeLast();
    return String.join(", ", named) + " " + last + " " + end;
  }

  private String unit() {
    return quantity.unit().equals("1/s") ? quantity.name() : quantity.unit();
  }

  private static String median(Contender contender) {
    return Figures.text(contender.series().median());
  }
}
