package dev.tailwater.destination;

import java.util.List;
import java.util.Optional;

/**
 * A page of a list.
 *
 * @param entries in key order, without repetition; immutable
 * @param more whether there may be further ones after the last entry. When true there is at least
 *     one entry, so that {@link #nextAfter} always leads on
 */
public record Listing(List<Entry> entries, boolean more) {
  public Listing {
    entries = List.copyOf(entries);
    if (more && entries.isEmpty()) {
      throw new IllegalArgumentException("a page that is not the last needs an entry");
    }
  }

  /** The {@code afterKey} of the next page; empty when this was the last. */
  public Optional<String> nextAfter() {
    return more ? Optional.of(entries.getLast().key()) : Optional.empty();
  }
}
