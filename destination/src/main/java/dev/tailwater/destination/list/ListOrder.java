package dev.tailwater.destination.list;

import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.posix.EscapedText;
import java.net.URI;
import java.util.Optional;

/**
 * A check that the keys of a list ascend strictly over all its pages. Without it, a client that
 * asks for the keys after the last one would never finish with a server that repeats itself. Some
 * servers order keys by UTF-16 instead of UTF-8, which makes no difference for the keys of an
 * archive; a list may use either order, but only one of them. For one thread.
 */
public final class ListOrder {
  private final URI uri;
  private final String prefix;
  private Optional<String> last;
  private boolean ascendsByBytes = true;
  private boolean ascendsByUtf16 = true;

  /**
   * @param uri of the destination, for messages
   * @param prefix of the list, for messages
   * @param afterKey a key that all keys of the list must follow
   */
  public ListOrder(URI uri, String prefix, Optional<String> afterKey) {
    this.uri = uri;
    this.prefix = prefix;
    this.last = afterKey;
  }

  /** Checks the next page. */
  public void check(Listing page) throws PermanentDestinationException {
    for (Entry entry : page.entries()) {
      check(entry.key());
    }
  }

  /** Checks the next key. */
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
              + EscapedText.of(key)
              + " comes behind "
              + EscapedText.of(last.orElse("")),
          "The server, or a proxy in front of it, repeats or reorders what it lists, so nothing can"
              + " be said of what is there; look for a newer version of it.");
    }
    last = Optional.of(key);
  }
}
