package dev.tailwater.bench.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Repeated measurements of one thing, in the order in which they were made. */
public final class Samples {
  private final List<Double> values = new ArrayList<>();

  public void add(double value) {
    values.add(value);
  }

  /** In the order in which they were made. */
  public List<Double> values() {
    return List.copyOf(values);
  }

  public int count() {
    return values.size();
  }

  public double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double min() {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  public double max() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("median", median());
    map.put("min", min());
    map.put("max", max());
    map.put("all", List.copyOf(values));
    return map;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "median %.4f, min %.4f, max %.4f, n %d", median(), min(), max(), count());
  }
}
