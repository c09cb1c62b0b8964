package dev.tailwater.lab.store;

import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conclusions from the tables of {@code store-cache}. */
final class StoreConclusions {
  private final ResultTable gets;
  private final ResultTable queue;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  StoreConclusions(ResultTable gets, ResultTable queue) {
    this.gets = gets;
    this.queue = queue;
    Optional<Contender> cold = got(StoreVariant.DATA_FILES, StoreTables.EVICTED);
    compare(got(StoreVariant.DATA_FILES, StoreTables.HOT), cold);
    compare(got(StoreVariant.DATA_FILES, StoreTables.WARMED), cold);
    if (compare(got(StoreVariant.DATA_FILES_CACHED, StoreTables.EVICTED), cold)) {
      recommend(
          "a cache of the store's own that holds what is read often", "ReadOptions.withCacheBytes");
    }
    compare(got(StoreVariant.DIRECT_CACHED, StoreTables.EVICTED), cold);
    compare(got(StoreVariant.LOG, StoreTables.EVICTED), got(StoreVariant.LOG, StoreTables.HOT));
    if (compareKeys()) {
      recommend("many keys at a time", "KeyValueStore.getAll");
    }
  }

  List<Conclusion> conclusions() {
    return conclusions;
  }

  List<Recommendation> recommendations() {
    return recommendations;
  }

  private Optional<Contender> got(StoreVariant variant, String state) {
    return Contender.of(
        variant + ", " + state,
        gets,
        StoreTables.GETS_PER_SECOND.name(),
        Map.of(StoreTables.STORE, variant.toString(), StoreTables.STATE, state));
  }

  /** Concludes how the two compare; returns whether the first is shown to be better. */
  private boolean compare(Optional<Contender> first, Optional<Contender> second) {
    if (first.isEmpty() || second.isEmpty()) {
      return false;
    }
    conclusions.add(Verdict.of(StoreTables.GETS_PER_SECOND, first.get(), second.get()));
    return Comparison.of(first.get().series(), second.get().series())
        .isShownBetter(StoreTables.GETS_PER_SECOND);
  }

  private boolean compareKeys() {
    Optional<Contender> many = keys(StorePlan.KEYS_AT_A_TIME);
    Optional<Contender> one = keys(1);
    if (many.isEmpty() || one.isEmpty()) {
      return false;
    }
    Conclusion keys = Verdict.of(StoreTables.KEYS_PER_SECOND, many.get(), one.get());
    conclusions.add(
        new Conclusion(
            keys.certainty(),
            keys.text() + depth(StorePlan.KEYS_AT_A_TIME).map(depth -> " " + depth).orElse("")));
    return Comparison.of(many.get().series(), one.get().series())
        .isShownBetter(StoreTables.KEYS_PER_SECOND);
  }

  private Map<String, String> row(int keys) {
    return Map.of(
        StoreTables.STORE,
        StoreVariant.DATA_FILES.toString(),
        StoreTables.KEYS,
        Integer.toString(keys));
  }

  private Optional<Contender> keys(int keys) {
    return Contender.of(
        "evicted keys, " + keys + " at a time",
        queue,
        StoreTables.KEYS_PER_SECOND.name(),
        row(keys));
  }

  private Optional<String> depth(int keys) {
    Optional<Series> many = queue.series(StoreTables.DEPTH.name(), row(keys));
    Optional<Series> one = queue.series(StoreTables.DEPTH.name(), row(1));
    return many.isPresent() && one.isPresent()
        ? Optional.of(
            "The disk then has %s requests under way, not %s."
                .formatted(Figures.text(many.get().median()), Figures.text(one.get().median())))
        : Optional.empty();
  }

  /** Recommends a setting because of the last conclusion. */
  private void recommend(String key, String value) {
    recommendations.add(
        new Recommendation(Recommendation.Place.PROGRAM, key, value, conclusions.getLast().text()));
  }
}
