package dev.tailwater.cli.probe;

import java.util.List;
import java.util.Optional;

/**
 * What is left of a probe when it has cleaned up.
 *
 * @param keys objects that are there still, by their keys at the destination
 * @param why why they, or perhaps others, could not be removed; empty when nothing is left
 */
public record Remains(List<String> keys, Optional<String> why) {
  static final Remains NONE = new Remains(List.of(), Optional.empty());

  public Remains {
    keys = List.copyOf(keys);
  }
}
