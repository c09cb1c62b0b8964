package dev.tailwater.io.write;

import dev.tailwater.posix.ErrnoException;
import java.util.ArrayList;
import java.util.List;

/** The requested features that are not available, each with its substitute and reason. */
final class Fallbacks {
  private final List<String> reasons = new ArrayList<>();

  void add(String insteadOfWhat, ErrnoException why) {
    add(insteadOfWhat, String.valueOf(why.getMessage()));
  }

  void add(String insteadOfWhat, String why) {
    reasons.add(insteadOfWhat + ": " + why);
  }

  List<String> reasons() {
    return List.copyOf(reasons);
  }
}
