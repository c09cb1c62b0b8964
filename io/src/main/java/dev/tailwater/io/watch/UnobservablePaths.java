package dev.tailwater.io.watch;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The paths that cannot be looked at. Reports each when it begins, changes its reason, or ends. */
final class UnobservablePaths {
  private final Map<PosixPath, Integer> errnoByPath = new HashMap<>();
  private final List<WatchChange> changes = new ArrayList<>();

  void report(PosixPath path, ErrnoException why) {
    Integer before = errnoByPath.put(path, why.errnoNumber());
    if (before == null || before != why.errnoNumber()) {
      changes.add(new WatchChange.Unobservable(path, why));
    }
  }

  /** Records that the path could be looked at, or is really gone. */
  void resolved(PosixPath path) {
    if (!errnoByPath.isEmpty() && errnoByPath.remove(path) != null) {
      changes.add(new WatchChange.Observable(path));
    }
  }

  /** Returns whether there is any, so that a caller need not build the path. */
  boolean any() {
    return !errnoByPath.isEmpty();
  }

  /** Returns the changes since the last call. */
  List<WatchChange> take() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<WatchChange> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }
}
