package dev.tailwater.lab.compare;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The differences between two lists of names and values. */
final class Differences {
  private Differences() {}

  static List<Pair> of(Map<String, String> first, Map<String, String> second) {
    Set<String> names = new LinkedHashSet<>(first.keySet());
    names.addAll(second.keySet());
    List<Pair> pairs = new ArrayList<>();
    for (String name : names) {
      String one = first.getOrDefault(name, "");
      String other = second.getOrDefault(name, "");
      if (!one.equals(other)) {
        pairs.add(new Pair(name, one, other));
      }
    }
    return pairs;
  }
}
