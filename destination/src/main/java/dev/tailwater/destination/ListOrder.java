package dev.tailwater.destination;

import java.net.URI;
import java.util.Optional;

/**
 * Checks that the keys of a list ascend strictly over all its pages. Whoever asks for what comes
 * after the last key would else ask a place that repeats itself for ever. Some servers order by
 * UTF-16 instead of UTF-8, which differs for keys that no archive has; a list may keep to either
 * order, but to one of them throughout. For one thread.
 */
public final class ListOrder {
  private final URI uri;
  private final String prefix;
  private Optional<String> last;
  private boolean ascendsByBytes = true;
  private boolean ascendsByUtf16 = true;

  /**
   * @param uri of the destination, for messages
   * @param prefix what is listed, for messages
   * @param afterKey behind which all keys must be
   */
  public ListOrder(URI uri, String prefix, Optional<String> afterKey) {
    this.uri = uri;
    this.prefix = prefix;
    this.last = afterKey;
  }

  /** The next page. */
  public void check(Listing page) throws PermanentDestinationException {
    for (Entry entry : page.entries()) {
      check(entry.key());
    }
  }

  /** The next key. */
  public void check(String key) throws PermanentDestinationException {
    if (last.isPresent()) {
      ascendsByBytes &= ObjectKeys.ORDER.compare(last.get(), key) < 0;
      ascendsByUtf16 &= last.get().compareTo(key) < 0;
    }
    if (!ascendsByBytes && !ascendsByUtf16) {
      throw new PermanentDestinationException(
          uri,
          "list",
          prefix,
          "the list does not ascend: "
              + Printable.of(key)
              + " comes behind "
              + Printable.of(last.orElse("")),
          "The server, or a proxy in front of it, repeats or reorders what it lists, so nothing can"
              + " be said of what is there; look for a newer version of it.");
    }
    last = Optional.of(key);
  }
}
