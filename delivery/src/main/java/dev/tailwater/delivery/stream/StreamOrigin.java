package dev.tailwater.delivery.stream;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;

/**
 * Where a stream begins, and so under which names it is archived, for good.
 *
 * @param birthPath the path at which the stream was first seen
 * @param prefix the prefix of the names of its objects
 */
public record StreamOrigin(StreamId id, PosixPath birthPath, String prefix) {
  /** Returns the agent's name that the stream is archived under; the agent may have another now. */
  public String agent() {
    return prefix.substring(0, prefix.indexOf('/'));
  }

  /** Returns whether the stream is archived under this agent's name. */
  boolean isOf(String agent) {
    return prefix.length() > agent.length()
        && prefix.charAt(agent.length()) == '/'
        && prefix.startsWith(agent);
  }

  /** Returns whether the prefix is the one that a stream with this birth path gets. */
  boolean isPrefixOfBirthPath() {
    return ArchiveNames.streamPrefix(agent(), birthPath, id).equals(prefix);
  }
}
