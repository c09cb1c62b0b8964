package dev.tailwater.cli.command.metric;

import com.google.errorprone.annotations.Immutable;
import java.util.Locale;

/** A line in a table of metrics, and how the OpenMetrics text writes it. */
public interface MetricFamily {
  /**
   * What is known of a family besides its name.
   *
   * @param isCounter or else it is a gauge
   * @param unit {@code bytes}, {@code seconds} or nothing; the name ends in it
   * @param meaning one sentence
   */
  @Immutable
  record Kind(boolean isCounter, String unit, String meaning) {}

  /** {@code AT_RISK_BYTES}. */
  String name();

  /** Its type, unit and meaning. */
  Kind kind();

  /** The name of the family, {@code tailwater_at_risk_bytes}. */
  default String family() {
    return "tailwater_" + name().toLowerCase(Locale.ROOT);
  }

  /** The name of its samples: a counter's ends in {@code _total}. */
  default String sample() {
    return kind().isCounter() ? family() + "_total" : family();
  }

  /** {@code gauge} or {@code counter}. */
  default String type() {
    return kind().isCounter() ? "counter" : "gauge";
  }
}
