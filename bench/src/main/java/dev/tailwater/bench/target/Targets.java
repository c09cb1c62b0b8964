package dev.tailwater.bench.target;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Several destinations at once, by their kinds. For one thread. */
public final class Targets implements AutoCloseable {
  private final Map<String, Target> byKind = new LinkedHashMap<>();

  Targets() {}

  void add(String kind, Target target) {
    byKind.put(kind, target);
  }

  /** Returns the destinations in the order in which they were started. */
  public Map<String, Target> byKind() {
    return byKind;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Target target : byKind.values()) {
      try {
        target.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
