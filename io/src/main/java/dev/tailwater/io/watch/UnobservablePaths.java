package dev.tailwater.io.watch;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What cannot be looked at, told once when it begins, changes its reason, and ends. */
final class Troubles {
  private final Map<PosixPath, Integer> errnoByPath = new HashMap<>();
  private final List<WatchChange> changes = new ArrayList<>();

  void report(PosixPath path, ErrnoException why) {
    Integer before = errnoByPath.put(path, why.errnoNumber());
    if (before == null || before != why.errnoNumber()) {
      changes.add(new WatchChange.Unobservable(path, why));
    }
  }

  /** It was looked at, or is really gone. */
  void over(PosixPath path) {
    if (!errnoByPath.isEmpty() && errnoByPath.remove(path) != null) {
      changes.add(new WatchChange.Observable(path));
    }
  }

  /** Whether there is any, so that a caller can save making the path. */
  boolean any() {
    return !errnoByPath.isEmpty();
  }

  /** What is to be told since the last call. */
  List<WatchChange> take() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<WatchChange> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }
}
