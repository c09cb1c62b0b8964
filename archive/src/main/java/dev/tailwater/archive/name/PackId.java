package dev.tailwater.archive.name;

/**
 * Which pack it is. A merged pack holds what several neighbouring ones held, and has the numbers of
 * all of them.
 *
 * @param agent the name of the agent that wrote it
 * @param first its number in the group, from 0; the lowest of a merged pack
 * @param last the same number; the highest of a merged pack
 */
public record PackId(String agent, PackGroup group, int first, int last) {
  /** The highest number of a pack in its group. */
  public static final int MAX_SEQUENCE = 999_999;

  public PackId {
    AgentName.require(agent);
    if (first < 0 || last < first || last > MAX_SEQUENCE) {
      throw new IllegalArgumentException("not the numbers of a pack: " + first + " to " + last);
    }
  }

  /** Creates the id of a pack that is not merged. */
  public PackId(String agent, PackGroup group, int sequence) {
    this(agent, group, sequence, sequence);
  }

  /** Returns the agent, the group and the numbers, for messages. */
  @Override
  public String toString() {
    return agent + "/" + group + "/" + first + (isMerged() ? "-" + last : "");
  }

  /** Returns the id of a pack that is merged of this one, the other one, and all between them. */
  public PackId to(PackId other) {
    if (!agent.equals(other.agent) || !group.equals(other.group)) {
      throw new IllegalArgumentException("packs of different groups: " + this + ", " + other);
    }
    return new PackId(agent, group, first, other.last);
  }

  /** Returns whether it is merged of several packs. */
  public boolean isMerged() {
    return first < last;
  }

  /** Returns whether it is of a group that its agent began before that of another pack. */
  public boolean isOfEarlierGroup(PackId other) {
    return agent.equals(other.agent) && group.compareTo(other.group) < 0;
  }

  /** Returns whether it has all numbers of another pack of the same group. */
  public boolean covers(PackId other) {
    return agent.equals(other.agent)
        && group.equals(other.group)
        && first <= other.first
        && other.last <= last;
  }
}
