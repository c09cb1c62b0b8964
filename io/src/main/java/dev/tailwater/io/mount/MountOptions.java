package dev.tailwater.io.mount;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Options of a mount: words such as {@code noac} and {@code wsize=131072}.
 *
 * @param words each once
 */
record MountOptions(List<String> words) {
  /** The text for what the kernel does not say. */
  static final String UNKNOWN = "unknown";

  MountOptions {
    words = List.copyOf(new LinkedHashSet<>(words));
  }

  /** The words of a comma-separated list. */
  static MountOptions parse(String text) {
    List<String> words = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return new MountOptions(words);
  }

  /**
   * These and those of the others that are new: the first to name a key decides. {@code ro} of
   * either wins over {@code rw}, as in the kernel.
   */
  MountOptions and(MountOptions others) {
    Set<String> both = new LinkedHashSet<>(words);
    for (String word : others.words) {
      int equals = word.indexOf('=');
      if (equals < 0 || text(word.substring(0, equals)).isEmpty()) {
        both.add(word);
      }
    }
    if (both.contains("ro")) {
      both.remove("rw");
    }
    return new MountOptions(List.copyOf(both));
  }

  boolean has(String word) {
    return words.contains(word);
  }

  /** What stands behind {@code name=}. */
  Optional<String> text(String name) {
    String start = name + "=";
    return words.stream()
        .filter(word -> word.startsWith(start))
        .map(word -> word.substring(start.length()))
        .findFirst();
  }

  /** A number of bytes; empty when it is missing, no number, or not positive. */
  OptionalInt bytes(String name) {
    try {
      long value = Long.parseLong(text(name).orElse("0"));
      return value > 0
          ? OptionalInt.of((int) Math.min(value, Integer.MAX_VALUE))
          : OptionalInt.empty();
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  boolean isZero(String name) {
    return text(name).map("0"::equals).orElse(false);
  }
}
