package dev.tailwater.cli.probe;

import java.util.List;
import java.util.Optional;

/**
 * The objects that a probe could not remove.
 *
 * @param keys objects that are there still, by their keys at the destination
 * @param why why they, or perhaps others, could not be removed; empty when nothing is left
 */
public record Leftovers(List<String> keys, Optional<String> why) {
  static final Leftovers NONE = new Leftovers(List.of(), Optional.empty());

  public Leftovers {
    keys = List.copyOf(keys);
  }
}
