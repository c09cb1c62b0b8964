package dev.tailwater.destination.azure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.cloud.ListPage;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * Where the last pages of lists continue, by the name that each page ended with. A marker may name
 * the object that came next then, and so miss one that was created since: each is used once, and
 * only for a server that does not know where a list starts. Thread-safe.
 */
final class ListMarkers {
  private static final int MAX_PAGES = 64;

  private record End(String prefix, String name) {}

  @GuardedBy("this")
  private final LinkedHashMap<End, String> markers = new LinkedHashMap<>();

  /** Takes the marker of the page after this name, if the page that ended with it is known. */
  synchronized Optional<String> take(String prefix, String name) {
    return Optional.ofNullable(markers.remove(new End(prefix, name)));
  }

  /** Remembers where a page ends. */
  synchronized void remember(String prefix, ListPage page) {
    if (page.continuation().isEmpty() || page.objects().isEmpty()) {
      return;
    }
    Optional<String> last = page.objects().getLast().name();
    if (last.isPresent()) {
      markers.putLast(new End(prefix, last.get()), page.continuation().get());
    }
    if (markers.size() > MAX_PAGES) {
      var _ = markers.pollFirstEntry();
    }
  }
}
