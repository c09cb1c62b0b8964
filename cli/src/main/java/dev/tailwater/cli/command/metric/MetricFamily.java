package dev.tailwater.cli.command.metric;

import java.util.Locale;

/** A line in a table of metrics, and how the OpenMetrics text writes it. */
public interface MetricFamily {
  /** {@code AT_RISK_BYTES}. */
  String name();

  /** Or else a gauge. */
  boolean isCounter();

  /** {@code bytes}, {@code seconds} or nothing; the name ends in it. */
  String unit();

  /** One sentence. */
  String meaning();

  /** The name of the family, {@code tailwater_at_risk_bytes}. */
  default String family() {
    return "tailwater_" + name().toLowerCase(Locale.ROOT);
  }

  /** The name of its samples: a counter's ends in {@code _total}. */
  default String sample() {
    return isCounter() ? family() + "_total" : family();
  }

  /** {@code gauge} or {@code counter}. */
  default String type() {
    return isCounter() ? "counter" : "gauge";
  }
}
