package dev.tailwater.restore.list;

import java.util.List;

/**
 * Objects that are not part of an archive: counted, never touched, never an error.
 *
 * @param count how many
 * @param firstKeys the names of the first {@value #MAX_KEYS}
 */
public record ForeignObjects(long count, List<String> firstKeys) {
  static final int MAX_KEYS = 100;
}
