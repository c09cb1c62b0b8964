package dev.tailwater.cli.command.metric;

/** The metrics of an agent that have more labels than {@code agent}. */
public enum LabelledMetric implements MetricFamily {
  MAX_AT_RISK_LIMIT(
      false, "", "limit", "1 while max_at_risk is not kept; the label names what limits it."),
  DESTINATION_AT_RISK_BYTES(
      false,
      "bytes",
      "destination, required",
      "Bytes written and not yet durable at the destination."),
  DESTINATION_DELIVERED_BYTES(
      true,
      "bytes",
      "destination, required",
      "Bytes of files that were delivered to the destination."),
  DESTINATION_UNTRUSTED_OBJECTS(
      false,
      "",
      "destination, required",
      "Objects that say what the agent has delivered, and that no trusted key has signed.");

  private final Kind kind;
  private final String labels;

  LabelledMetric(boolean isCounter, String unit, String labels, String meaning) {
    this.kind = new Kind(isCounter, unit, meaning);
    this.labels = labels;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  /** Its labels besides {@code agent}. */
  public String labels() {
    return labels;
  }
}
