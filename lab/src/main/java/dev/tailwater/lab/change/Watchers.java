package dev.tailwater.lab.change;

import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Several watchers at once. */
final class Watchers implements AutoCloseable {
  private final Map<ChangeWay, Watcher> all = new LinkedHashMap<>();
  private final Map<ChangeWay, String> refused = new LinkedHashMap<>();
  private final Deque<Watcher> open = new ArrayDeque<>();

  private Watchers() {}

  /**
   * Starts the watchers; {@link #refused} returns those that cannot watch by the requested method.
   */
  static Watchers open(List<ChangeWay> ways, FileCalls calls, WatchedTree tree) {
    Watchers watchers = new Watchers();
    for (ChangeWay way : ways) {
      try {
        watchers.add(way, way.open(calls, tree));
      } catch (IOException e) {
        watchers.refused.put(way, reason(e));
      }
    }
    return watchers;
  }

  private void add(ChangeWay way, Watcher watcher) {
    open.push(watcher);
    if (watcher.isAsAsked()) {
      all.put(way, watcher);
    } else {
      refused.put(
          way,
          watcher
              .whyNotAsAsked()
              .orElse(
                  "the kernel does not let this process watch so here; it may need root, or another"
                      + " file system"));
    }
  }

  /** Returns the kind of failure without the path, since reports contain no paths. */
  private static String reason(IOException e) {
    return e instanceof FileSystemException named
        ? named.getClass().getSimpleName()
            + Optional.ofNullable(named.getReason()).map(reason -> ": " + reason).orElse("")
        : String.valueOf(e.getMessage());
  }

  /** Returns the methods that could not be used, and why. */
  Map<ChangeWay, String> refused() {
    return refused;
  }

  Map<ChangeWay, Watcher> all() {
    return all;
  }

  List<SightLog> logs() {
    return all.values().stream().map(Watcher::log).toList();
  }

  /** Closes all of them; throws the first failure. */
  @Override
  public void close() throws IOException {
    if (open.isEmpty()) {
      return;
    }
    try (this) {
      open.pop().close();
    }
  }
}
