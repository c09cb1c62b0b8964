package dev.tailwater.cli.probe;

import java.util.Locale;

/** The parts of a probe, in their order. */
public enum Step {
  PERMISSION,
  PROMISE,
  CLOCK,
  LATENCY,
  THROUGHPUT;

  /** In JSON. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
