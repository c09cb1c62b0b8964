package dev.tailwater.restore.compact;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.compact.StoredPacks.Group;
import dev.tailwater.restore.compact.StoredPacks.Listed;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * To which groups no pack will be added: their agent has begun a later one. A name alone does not
 * show that, since anybody who may write can make one, and an agent does not go on behind a time
 * that no clock shows. A pack with a number that the agent still uses would hide what it delivers
 * next. For one thread.
 */
final class EndedGroups {
  private final StoredPacks packs;
  private final Set<Group> old;
  private final GroupBound bound;
  private final Map<Group, Boolean> begunByGroup = new HashMap<>();

  /**
   * Creates an answer for one run.
   *
   * @param old those that got no pack lately; their agent may go on in the last one of it
   * @param bound which groups an agent may have begun
   */
  EndedGroups(StoredPacks packs, Set<Group> old, GroupBound bound) {
    this.packs = packs;
    this.old = Set.copyOf(old);
    this.bound = bound;
  }

  /** Returns whether a group got no pack lately. */
  boolean isOld(Group group) {
    return old.contains(group);
  }

  /**
   * Returns whether the agent of a group will add no pack to it.
   *
   * @param next the group after it, perhaps of another agent
   * @param packsOfNext those in it
   */
  boolean hasEnded(Group group, Group next, List<Listed> packsOfNext) throws IOException {
    return next.agent().equals(group.agent())
        && old.contains(group)
        && old.contains(next)
        && bound.allows(next.name())
        && isBegun(next, packsOfNext);
  }

  /** Returns whether one pack of a group, at least, is the agent's as far as that is checked. */
  private boolean isBegun(Group group, List<Listed> listed) throws IOException {
    Boolean known = begunByGroup.get(group);
    if (known != null) {
      return known;
    }
    boolean isBegun = false;
    for (Listed pack : listed) {
      if (opens(pack)) {
        isBegun = true;
        break;
      }
    }
    begunByGroup.put(group, isBegun);
    return isBegun;
  }

  private boolean opens(Listed pack) throws IOException {
    try {
      var _ = packs.open(pack);
      return true;
    } catch (ArchiveException | NoSuchObjectException e) {
      return false; // It was named before, or was merged just now.
    }
  }
}
