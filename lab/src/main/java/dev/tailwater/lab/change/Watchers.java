package dev.tailwater.lab.change;

import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Several at once. */
final class Watchers implements AutoCloseable {
  private final Map<ChangeWay, Watcher> all = new LinkedHashMap<>();
  private final Deque<Watcher> open = new ArrayDeque<>();

  private Watchers() {}

  /** Those that do what was asked of them; others are not there. */
  static Watchers open(List<ChangeWay> ways, FileCalls calls, WatchedTree tree) throws IOException {
    Watchers watchers = new Watchers();
    try {
      for (ChangeWay way : ways) {
        Watcher watcher = way.open(calls, tree);
        watchers.open.push(watcher);
        if (watcher.isAsAsked()) {
          watchers.all.put(way, watcher);
        }
      }
      return watchers;
    } catch (IOException | RuntimeException e) {
      watchers.close();
      throw e;
    }
  }

  Map<ChangeWay, Watcher> all() {
    return all;
  }

  List<SightLog> logs() {
    return all.values().stream().map(Watcher::log).toList();
  }

  /** Closes every one of them; throws what the first of them threw. */
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
