package dev.tailwater.cli.command.metric;

/**
 * The table of metrics of an agent: each line is a family of the OpenMetrics text and a row of the
 * reference. All have the label {@code agent}.
 */
public enum Metric implements MetricFamily {
  AGENT_UP(false, "", "1 while an agent runs on the state directory, else 0."),
  START_TIME_SECONDS(false, "seconds", "When the agent was started, in seconds since 1970."),
  FILES(false, "", "Files that the agent watches."),
  LEFT_OUT_FILES(
      false,
      "",
      "Files and directories that are left out because there are more than the agent"
          + " has memory for; counted at the last scan."),
  WAITING_FILES(
      false,
      "",
      "Files that wait to be opened, for lack of descriptors or memory. What is written to them is"
          + " at risk, and not counted."),
  WAITING_OWNERS(false, "", "Owners of the files that wait to be opened, who take turns."),
  UNOPENED_FILES(
      false,
      "",
      "Files and directories that could not be opened. What is in them is at risk, and not"
          + " counted."),
  SEARCHING(
      false,
      "",
      "1 until every file that was there at the start has been looked at, else 0. What the others"
          + " lack is at risk, and not counted."),
  UNSEEN_SECONDS(
      false,
      "seconds",
      "For how long no source has been looked at, since a call on a file system does not return; 0"
          + " while the sources are looked at. What is written meanwhile is at risk, and not"
          + " counted."),
  LEFT_OUT_SYMBOLIC_LINKS(
      false,
      "",
      "Symbolic links that are left out, since the agent does not follow them; counted at the"
          + " last scan."),
  LEFT_OUT_FOREIGN_LINKS(
      false,
      "",
      "Hard links that are left out because somebody other than the file's owner can"
          + " have made them."),
  AT_RISK_BYTES(
      false,
      "bytes",
      "Bytes written and not yet durable at every required destination: what a power"
          + " cut would destroy."),
  AT_RISK_OLDEST_SECONDS(false, "seconds", "How long the oldest byte at risk has been at risk."),
  MAX_AT_RISK_BYTES(false, "bytes", "How many bytes may be at risk, if max_at_risk bounds them."),
  MAX_AT_RISK_SECONDS(false, "seconds", "How long bytes may be at risk, if max_at_risk bounds it."),
  MAX_AT_RISK_KEPT(false, "", "1 while max_at_risk is kept, 0 while it is not."),
  MAX_AT_RISK_EXCEEDED_SECONDS(true, "seconds", "How long max_at_risk was not kept, in all."),
  CHANGED_IN_PLACE_FILES(
      false,
      "",
      "Files that were changed in place after they had been read, in this run. The"
          + " archive has the bytes from before."),
  MISSED_FILES(
      true, "", "Files that were gone before they could be opened. Nothing of them is delivered."),
  PERHAPS_MISSED_FILES(
      true,
      "",
      "Names that were gone before they could be opened, and that may have been links, sockets or"
          + " further names of delivered files."),
  DRAINING(false, "", "1 while the agent drains before it ends."),
  LAST_DRAIN_SECONDS(false, "seconds", "How long the last drain of this run took."),
  LAST_DRAIN_DELIVERED_BYTES(false, "bytes", "Bytes of files that the last drain delivered."),
  LAST_DRAIN_LEFT_BEHIND_BYTES(false, "bytes", "Bytes of files that the last drain left behind."),
  DELIVERED_BYTES(
      true, "bytes", "Bytes of files that were delivered to every required destination."),
  DELIVERED_SEGMENTS(true, "", "Segments that were delivered to every required destination."),
  STORED_BYTES(true, "bytes", "Bytes that these segments take at the destination."),
  PROBLEMS(false, "", "Problems that are open.");

  private final Kind kind;

  Metric(boolean isCounter, String unit, String meaning) {
    this.kind = new Kind(isCounter, unit, meaning);
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
