package dev.tailwater.restore.list;

import dev.tailwater.archive.name.StreamId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a listing, in the order in which they were found. They are looked up by their ids,
 * since the prefixes of keys take long to make: only streams that share an id with another one, as
 * in an archive that somebody has tampered with, are looked up by prefix. For one thread.
 */
final class ListedStreams {
  private final List<ListedStream> all = new ArrayList<>();
  private final Map<StreamId, ListedStream> firstById = new HashMap<>();

  /** Those that are not the first with their id. */
  private final Map<String, ListedStream> furtherByPrefix = new HashMap<>();

  /** Returns the stream of this name, which is added if it is new. */
  ListedStream of(StreamName name) {
    ListedStream known = firstById.get(name.stream());
    if (known == null) {
      return added(name, null);
    }
    if (known.name.isSame(name)) {
      return known;
    }
    String prefix = name.prefix();
    ListedStream further = furtherByPrefix.get(prefix);
    return further == null ? added(name, prefix) : further;
  }

  /**
   * @param furtherPrefix its prefix, if it is not the first with its id
   */
  private ListedStream added(StreamName name, @Nullable String furtherPrefix) {
    ListedStream stream = new ListedStream(name);
    all.add(stream);
    if (furtherPrefix == null) {
      firstById.put(name.stream(), stream);
    } else {
      furtherByPrefix.put(furtherPrefix, stream);
    }
    return stream;
  }

  /** Returns the stream whose keys start with a prefix. */
  Optional<ListedStream> find(String prefix) {
    int idAt = prefix.length() - 1 - StreamId.LENGTH_CHARACTERS;
    if (idAt < 0 || !StreamId.isValid(prefix.substring(idAt, prefix.length() - 1))) {
      return Optional.empty();
    }
    ListedStream first = firstById.get(new StreamId(prefix.substring(idAt, prefix.length() - 1)));
    return first != null && first.name.prefix().equals(prefix)
        ? Optional.of(first)
        : Optional.ofNullable(furtherByPrefix.get(prefix));
  }

  /** Returns all of them, for reading. */
  List<ListedStream> all() {
    return Collections.unmodifiableList(all);
  }

  int size() {
    return all.size();
  }
}
