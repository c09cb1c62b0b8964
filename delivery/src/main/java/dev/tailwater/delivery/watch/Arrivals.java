package dev.tailwater.delivery.watch;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The balance between the files that came to each name, as the kernel's events tell, and those that
 * were opened there: the difference is missed. A file may be opened one look before the events
 * about it are counted, but not later. Used by the watch thread only.
 */
final class Arrivals {
  private final Map<PosixPath, Set<FileIdentity>> opened = new HashMap<>();
  private final Map<PosixPath, Integer> arrived = new LinkedHashMap<>();
  private final Map<PosixPath, Integer> passed = new HashMap<>();

  /** What was opened before the last look and had not been counted as arrived by then. */
  private final Map<PosixPath, Set<FileIdentity>> before = new HashMap<>();

  /** Notes that a file was opened at a name. */
  void opened(PosixPath path, FileIdentity identity) {
    opened.computeIfAbsent(path, key -> new LinkedHashSet<>()).add(identity);
  }

  /** Returns whether a file was opened early at the name since the look before the last. */
  boolean isOpened(PosixPath path) {
    return opened.containsKey(path) || before.containsKey(path);
  }

  /** Notes that files came to a name. */
  void arrived(PosixPath path, int files) {
    arrived.merge(path, files, Integer::sum);
  }

  /** Notes that files came to a name and are found under other names. */
  void passed(PosixPath path, int files) {
    arrived(path, files);
    passed.merge(path, files, Integer::sum);
  }

  /** Ends a look; returns how many files were missed at which names. */
  Map<PosixPath, Integer> settle() {
    Map<PosixPath, Integer> missed = new LinkedHashMap<>();
    Map<PosixPath, Set<FileIdentity>> ahead = new HashMap<>(opened);
    arrived.forEach(
        (path, files) -> {
          Set<FileIdentity> all = new LinkedHashSet<>(before.getOrDefault(path, Set.of()));
          Set<FileIdentity> now = opened.getOrDefault(path, Set.of());
          all.addAll(now);
          int lost = Math.min(files - all.size(), files - passed.getOrDefault(path, 0));
          if (lost > 0) {
            missed.put(path, lost);
          }
          Set<FileIdentity> later = new LinkedHashSet<>();
          all.stream().skip(files).filter(now::contains).forEach(later::add);
          ahead.remove(path);
          if (!later.isEmpty()) {
            ahead.put(path, later);
          }
        });
    before.clear();
    before.putAll(ahead);
    opened.clear();
    arrived.clear();
    passed.clear();
    return missed;
  }
}
