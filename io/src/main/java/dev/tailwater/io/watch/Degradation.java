package dev.tailwater.io.watch;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Directories that are polled because the kernel tells nothing of them: told once for each reason,
 * and again whenever there are twice as many.
 */
final class Degradation {
  private record Cause(PosixPath firstPath, ErrnoException why) {}

  private final Map<Integer, Cause> causeByErrno = new LinkedHashMap<>();
  private final Map<Integer, Integer> toldByErrno = new LinkedHashMap<>();
  private boolean changed;

  /** The directory gets no watch. */
  void add(PosixPath path, ErrnoException why) {
    causeByErrno.putIfAbsent(why.errnoNumber(), new Cause(path, why));
    changed = true;
  }

  /**
   * What is to be told since the last call.
   *
   * @param polledDirectories how many are polled now
   */
  List<WatchChange> take(int polledDirectories) {
    if (!changed) {
      return List.of();
    }
    changed = false;
    List<WatchChange> changes = new ArrayList<>(0);
    causeByErrno.forEach(
        (errno, cause) -> {
          int told = toldByErrno.getOrDefault(errno, 0);
          if (polledDirectories > 0 && polledDirectories >= 2 * told) {
            toldByErrno.put(errno, polledDirectories);
            changes.add(
                new WatchChange.Degraded(
                    cause.firstPath(), polledDirectories, cause.why(), hint(cause.why())));
          }
        });
    return changes;
  }

  private static String hint(ErrnoException why) {
    String text =
        switch (why.errno()) {
          case ENOSPC ->
              "the limit of inotify watches is reached; raise it with:"
                  + " sysctl fs.inotify.max_user_watches=1048576";
          case EMFILE ->
              "no inotify instance (or no descriptor) is left; raise it with:"
                  + " sysctl fs.inotify.max_user_instances=1024, or raise ulimit -n";
          default -> "the kernel tells nothing of changes here";
        };
    for (Throwable other : why.getSuppressed()) {
      text +=
          other instanceof ErrnoException e && e.errno() == Errno.EPERM
              ? ", or grant CAP_SYS_ADMIN, so that whole file systems can be watched"
              : "; nor can the whole file system be watched: " + other.getMessage();
    }
    return text;
  }
}
