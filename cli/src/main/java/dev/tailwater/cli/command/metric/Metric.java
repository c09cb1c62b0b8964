package dev.tailwater.cli.command.metric;

/**
 * The table of metrics of an agent: each line is a family of the OpenMetrics text and a row of the
 * reference. All have the label {@code agent}.
 */
public enum Metric implements MetricFamily {
  AGENT_UP(false, "", "1 while an agent runs on the state directory, else 0."),
  START_TIME_SECONDS(false, "seconds", "When the agent was started, in seconds since 1970."),
  FILES(false, "", "Files that are watched."),
  LEFT_OUT_FILES(
      false,
      "",
      "Files and directories that are left out, since there are more than the agent has memory for;"
          + " as counted when they were listed last."),
  LEFT_OUT_FOREIGN_LINKS(
      false, "", "Hard links that are left out, since somebody else can have made them."),
  AT_RISK_BYTES(
      false,
      "bytes",
      "Bytes written and not yet durable at every required destination: what a power cut would"
          + " take."),
  AT_RISK_OLDEST_SECONDS(false, "seconds", "For how long the oldest of them has been at risk."),
  MAX_AT_RISK_BYTES(false, "bytes", "How many bytes may be at risk, if max_at_risk says so."),
  MAX_AT_RISK_SECONDS(
      false, "seconds", "For how long bytes may be at risk, if max_at_risk says so."),
  MAX_AT_RISK_KEPT(false, "", "1 while that is kept, 0 while it is not."),
  MAX_AT_RISK_EXCEEDED_SECONDS(true, "seconds", "For how long it was not kept, in all."),
  CHANGED_IN_PLACE_FILES(
      false,
      "",
      "Files that were changed in place after they had been read, in this run: the archive has what"
          + " was there before."),
  MISSED_FILES(
      true, "", "Files that were gone before they could be opened: nothing of them is delivered."),
  DRAINING(false, "", "1 while the agent drains because it is to end."),
  LAST_DRAIN_SECONDS(false, "seconds", "How long the last drain of this run took."),
  LAST_DRAIN_DELIVERED_BYTES(false, "bytes", "Bytes of files that it delivered."),
  LAST_DRAIN_LEFT_BEHIND_BYTES(false, "bytes", "Bytes of files that it left."),
  DELIVERED_BYTES(
      true, "bytes", "Bytes of files that were delivered to every required destination."),
  DELIVERED_SEGMENTS(true, "", "Segments that were."),
  STORED_BYTES(true, "bytes", "Bytes that they take at the destination."),
  PROBLEMS(false, "", "Problems that are open now.");

  private final Kind kind;

  Metric(boolean isCounter, String unit, String meaning) {
    this.kind = new Kind(isCounter, unit, meaning);
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
