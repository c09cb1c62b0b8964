package dev.tailwater.bench.stores;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Something that the store wants to reach, and whether it did.
 *
 * @param text what is compared, of which data set
 * @param reached the ratio, or the figure
 * @param wanted the bound
 * @param atLeast whether it is a lower bound
 */
record Aim(String text, double reached, double wanted, boolean atLeast) {
  private static final String OURS = "tailwater";
  private static final String SAME_CACHE = "tailwater-cache64";

  boolean isMet() {
    return atLeast ? reached >= wanted : reached <= wanted;
  }

  Map<String, Object> toMap() {
    return Map.of("reached", reached, "wanted", wanted, "met", isMet() ? "yes" : "no");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %s %.2f | %s |",
        text,
        reached,
        atLeast ? "≥" : "≤",
        wanted,
        isMet() ? "yes" : "**no**");
  }

  /** Those of one data set that the figures can tell about. */
  static List<Aim> of(Figures figures) {
    Judge judge = new Judge(figures, new ArrayList<>());
    judge.times("hotGets2", "lmdb", 2);
    judge.times("hotGets2", "rocksdb", 10);
    for (String cold : List.of("coldGets2First", "coldGets32First")) {
      judge.times(cold, "lmdb", 1.2);
      judge.times(cold, "rocksdb", 2);
      judge.times(cold, "fio-direct", 0.95);
      judge.times(cold, "fio-buffered", 0.95);
    }
    judge.times("durablePuts8", "rocksdb", 1.3);
    judge.times("durablePuts32", "rocksdb", 1.3);
    judge.times("durablePuts1", "append-growing", 1);
    judge.times("durablePuts1", "append-preallocated", 1);
    judge.times("loadPerSecond", "rocksdb", 8);
    judge.atMost("heapMebibytes", 64);
    judge.atMost("openAfterCloseSeconds", 1);
    judge.atMost("openAfterKillSeconds", 3);
    for (String ours : List.of(OURS, SAME_CACHE)) {
      judge.atMostAs("residentMebibytes", ours, "rocksdb");
      judge.atMostAs("residentAnonymousMebibytes", ours, "rocksdb");
    }
    return judge.aims();
  }

  private record Judge(Figures figures, List<Aim> aims) {
    void times(String metric, String other, double wanted) {
      figures
          .ratio(metric, OURS, other)
          .ifPresent(ratio -> add(metric + " to " + other, ratio, wanted, true));
    }

    void atMostAs(String metric, String ours, String other) {
      figures
          .ratio(metric, ours, other)
          .ifPresent(ratio -> add(ours + " " + metric + " to " + other, ratio, 1, false));
    }

    void atMost(String metric, double wanted) {
      Optional<Double> median = figures.median(metric, OURS);
      median.ifPresent(value -> add(metric, value, wanted, false));
    }

    private void add(String what, double reached, double wanted, boolean atLeast) {
      aims.add(new Aim(figures.dataset().name() + ": " + what, reached, wanted, atLeast));
    }
  }
}
