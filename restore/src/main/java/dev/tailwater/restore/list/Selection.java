package dev.tailwater.restore.list;

import java.util.List;
import java.util.Optional;

/**
 * Which streams of an archive are meant.
 *
 * @param agent only the streams of this agent; empty for all agents
 * @param only shell patterns over the last known path as text; a stream is meant when one of them
 *     matches; an empty list means all. {@code *} stays within one name, {@code **} crosses
 *     slashes, a pattern without a slash is matched against the last name of the path alone
 */
public record Selection(Optional<String> agent, List<String> only) {
  /**
   * @throws IllegalArgumentException when a pattern is not a valid glob
   */
  public Selection {
    only = List.copyOf(only);
    only.forEach(Glob::of);
  }

  public static Selection everything() {
    return new Selection(Optional.empty(), List.of());
  }

  public Selection ofAgent(String name) {
    return new Selection(Optional.of(name), only);
  }

  public Selection only(List<String> globs) {
    return new Selection(agent, globs);
  }

  /** Whether anything at all is left out. */
  public boolean isEverything() {
    return agent.isEmpty() && only.isEmpty();
  }
}
