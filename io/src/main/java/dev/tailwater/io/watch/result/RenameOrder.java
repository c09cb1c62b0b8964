package dev.tailwater.io.watch.result;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Orders renames that happened together so that each new name is free when its turn comes: {@code
 * log.1 → log.2} before {@code log → log.1}. A ring (names that were exchanged) has no such order;
 * one of its files then goes and comes back.
 */
final class RenameOrder {
  /** A file that has one name instead of another one. */
  record Rename(PosixPath from, PosixPath to) {}

  private final Map<PosixPath, PosixPath> pending = new LinkedHashMap<>();
  private final List<PosixPath> targets = new ArrayList<>();
  private final List<Rename> ordered = new ArrayList<>();
  private final List<PosixPath> takenOut = new ArrayList<>();
  private final List<PosixPath> putBack = new ArrayList<>();

  /** Every {@code from} and every {@code to} may be added once. */
  void add(PosixPath from, PosixPath to) {
    pending.put(from, to);
    targets.add(to);
  }

  void order() {
    Deque<Rename> chain = new ArrayDeque<>();
    while (!pending.isEmpty()) {
      PosixPath first = pending.keySet().iterator().next();
      PosixPath from = first;
      for (PosixPath to = pending.remove(from); to != null; to = pending.remove(from)) {
        if (to.equals(first)) {
          // The ring is closed: its last file waits outside until its name is free.
          takenOut.add(from);
          putBack.add(to);
        } else {
          chain.push(new Rename(from, to));
        }
        from = to;
      }
      chain.forEach(ordered::add);
      chain.clear();
    }
  }

  /** Returns all new names. */
  List<PosixPath> targets() {
    return targets;
  }

  List<Rename> ordered() {
    return ordered;
  }

  /** Names that leave a ring before the renames. */
  List<PosixPath> takenOut() {
    return takenOut;
  }

  /** Names at which those files are after the renames. */
  List<PosixPath> putBack() {
    return putBack;
  }
}
