package dev.tailwater.destination.azure;

import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.cloud.ListPage;
import java.util.List;
import java.util.Optional;

/** Dropping of names that a list has although it was to start after them. */
final class Skipping {
  private Skipping() {}

  /** Returns the page without the names up to this one. */
  static ListPage after(String name, ListPage page) {
    List<ListPage.Item> objects = page.objects();
    int from = 0;
    for (int i = 0; i < objects.size(); i++) {
      Optional<String> listed = objects.get(i).name();
      // Found itself, the place is certain, whatever the order of the server is.
      if (listed.isPresent() && listed.get().equals(name)) {
        return new ListPage(
            objects.subList(i + 1, objects.size()), page.more(), page.continuation());
      }
      if (from == i && listed.isPresent() && ObjectKeys.ORDER.compare(listed.get(), name) < 0) {
        from = i + 1;
      }
    }
    return new ListPage(objects.subList(from, objects.size()), page.more(), page.continuation());
  }

  /** Returns whether a page begins with a name before this one, in any order. */
  static boolean startsBefore(String name, ListPage page) {
    Optional<String> first =
        page.objects().isEmpty() ? Optional.empty() : page.objects().getFirst().name();
    return first.isPresent()
        && ObjectKeys.ORDER.compare(first.get(), name) < 0
        && first.get().compareTo(name) < 0;
  }

  /** Returns whether a page continues behind the one before it. */
  static boolean ascends(ListPage page, ListPage next) {
    if (page.objects().isEmpty() || next.objects().isEmpty()) {
      return true;
    }
    String last = page.objects().getLast().name().orElse("");
    String first = next.objects().getFirst().name().orElse("");
    return ObjectKeys.ORDER.compare(last, first) < 0 || last.compareTo(first) < 0;
  }
}
