package dev.tailwater.destination;

import java.util.List;
import java.util.Optional;

/**
 * A page of a list.
 *
 * @param entries in key order, without repetition; immutable
 * @param more whether there may be further entries. If true, there is at least one entry, so that
 *     {@link #nextAfter} makes progress
 */
public record Listing(List<Entry> entries, boolean more) {
  public Listing {
    entries = List.copyOf(entries);
    if (more && entries.isEmpty()) {
      throw new IllegalArgumentException("a page that is not the last needs an entry");
    }
  }

  /** Returns the {@code afterKey} of the next page; empty if this was the last. */
  public Optional<String> nextAfter() {
    return more ? Optional.of(entries.getLast().key()) : Optional.empty();
  }
}
