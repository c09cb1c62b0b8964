package dev.tailwater.destination.cloud;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A page of a list as a server sent it, which nobody has checked yet.
 *
 * @param objects in the order of the server
 * @param more whether the server says that there is another page
 * @param continuation what the server wants back for the next page
 */
public record ListPage(List<Item> objects, boolean more, Optional<String> continuation) {
  /**
   * An object.
   *
   * @param name with the prefix of the destination; empty if the server did not send it
   * @param sizeBytes empty if the server did not send it
   * @param modifiedMillis 0 if the server did not send it
   */
  public record Item(Optional<String> name, OptionalLong sizeBytes, long modifiedMillis) {}

  public ListPage {
    objects = List.copyOf(objects);
  }

  /**
   * Returns a page of at most so many objects. One that is cut off has no continuation: the next
   * one begins after the name of its last object.
   */
  public ListPage first(int maxObjects) {
    return objects.size() <= maxObjects
        ? this
        : new ListPage(objects.subList(0, maxObjects), true, Optional.empty());
  }
}
