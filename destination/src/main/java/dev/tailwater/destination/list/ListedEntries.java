package dev.tailwater.destination.list;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The objects whose keys start with a prefix, one after the other. Lists a page when the one before
 * it is used up, and refuses a list that does not {@linkplain ListOrder ascend}. For one thread.
 */
public final class ListedEntries {
  private static final int PAGE_ENTRIES = 1000;

  private final Destination destination;
  private final String prefix;
  private final ListOrder order;
  private Optional<String> after;
  private Iterator<Entry> page = List.<Entry>of().iterator();
  private boolean more = true;

  /**
   * Begins a list; nothing is asked before {@link #next}.
   *
   * @param afterKey a key that all keys of the list must follow
   */
  public ListedEntries(Destination destination, String prefix, Optional<String> afterKey) {
    this.destination = destination;
    this.prefix = prefix;
    this.after = afterKey;
    this.order = new ListOrder(destination.uri(), prefix, afterKey);
  }

  /** Begins the list of all objects with this prefix. */
  public ListedEntries(Destination destination, String prefix) {
    this(destination, prefix, Optional.empty());
  }

  /**
   * Returns the next object in the order of keys; empty when there are no more.
   *
   * @throws PermanentDestinationException the list does not ascend
   */
  public Optional<Entry> next() throws DestinationException {
    while (!page.hasNext() && more) {
      Listing listed = destination.list(prefix, after, PAGE_ENTRIES);
      order.check(listed);
      page = listed.entries().iterator();
      after = listed.nextAfter();
      more = listed.more();
    }
    return page.hasNext() ? Optional.of(page.next()) : Optional.empty();
  }
}
