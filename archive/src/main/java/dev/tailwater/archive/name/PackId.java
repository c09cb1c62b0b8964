package dev.tailwater.archive.name;

/**
 * Which pack it is.
 *
 * @param agent the name of the agent that wrote it
 * @param sequence its number in the group, from 0; no number is missing and none occurs twice
 */
public record PackId(String agent, PackGroup group, int sequence) {
  /** The highest number of a pack in its group. */
  public static final int MAX_SEQUENCE = 999_999;

  public PackId {
    AgentName.require(agent);
    if (sequence < 0 || sequence > MAX_SEQUENCE) {
      throw new IllegalArgumentException("not the number of a pack: " + sequence);
    }
  }
}
