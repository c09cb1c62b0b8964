package dev.tailwater.lab.store;

import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The tables of {@code store-cache}, with the figures of article 003 for its data-file mode (2010).
 */
final class StoreTables {
  static final String GETS = "Gets";
  static final String QUEUE = "Keys whose values are evicted, by one thread";
  static final String STORE = "store";
  static final String STATE = "files are";
  static final String KEYS = "keys at a time";
  static final String HOT = "in the page cache";
  static final String EVICTED = "evicted";
  static final String WARMED = "read again";
  static final Quantity GETS_PER_SECOND = Quantity.more("gets a second", "1/s");
  static final Quantity KEYS_PER_SECOND = Quantity.more("keys a second", "1/s");
  static final Quantity DEPTH =
      new Quantity("requests under way", "at the disk", Quantity.Better.NONE);

  private static final List<String> STATES = List.of(HOT, EVICTED, WARMED);
  private static final List<Double> ARTICLE = List.of(50_000.0, 2_000.0, 66_000.0);

  /** The largest part of the files in the page cache with which they count as evicted. */
  private static final double MOST_RESIDENT = 0.03;

  /** The indexes of a trial's quantities. */
  private static final int RESIDENT = 3;

  private static final int ONE = 4;

  private static final int MANY = 6;
  private static final double NOTHING = Double.NaN;

  private StoreTables() {}

  /** Returns the largest part of the files that stayed in the page cache, from 0 to 1. */
  static double resident(List<Series> series) {
    return series.get(RESIDENT).samples().stream()
        .mapToDouble(Double::doubleValue)
        .max()
        .orElseThrow();
  }

  /**
   * Returns whether the files left the page cache. They stay on tmpfs, and if advice has no effect.
   */
  static boolean isEvicted(List<Series> series) {
    return resident(series) <= MOST_RESIDENT;
  }

  static ResultTable gets(Map<StoreVariant, List<Series>> measured) {
    List<Row> rows = new ArrayList<>();
    measured.forEach(
        (variant, series) -> {
          for (int state = 0; state < STATES.size(); state++) {
            if (STATES.get(state).equals(EVICTED) && !isEvicted(series)) {
              continue;
            }
            rows.add(
                Row.of(
                    List.of(variant.toString(), STATES.get(state)),
                    List.of(series.get(state)),
                    variant == StoreVariant.DATA_FILES ? ARTICLE.get(state) : NOTHING));
          }
        });
    return new ResultTable(GETS, List.of(STORE, STATE), List.of(GETS_PER_SECOND), rows);
  }

  static ResultTable queue(Map<StoreVariant, List<Series>> measured) {
    List<Row> rows = new ArrayList<>();
    measured.forEach(
        (variant, series) -> {
          if (isEvicted(series)) {
            rows.add(row(variant, 1, series.subList(ONE, MANY)));
            rows.add(row(variant, StorePlan.KEYS_AT_A_TIME, series.subList(MANY, MANY + 2)));
          }
        });
    return new ResultTable(QUEUE, List.of(STORE, KEYS), List.of(KEYS_PER_SECOND, DEPTH), rows);
  }

  private static Row row(StoreVariant variant, int keys, List<Series> series) {
    return Row.of(List.of(variant.toString(), Integer.toString(keys)), series, NOTHING, NOTHING);
  }
}
