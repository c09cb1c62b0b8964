package dev.tailwater.io.watch;

import dev.tailwater.io.watch.early.NameListener;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The directories that are polled because the kernel does not report their changes. Reports each
 * reason once, again whenever their number has doubled, and when there are none left.
 */
final class Degradation {
  private static final String NOT_REPORTED = "the kernel does not report changes here";

  private record Cause(PosixPath firstPath, ErrnoException why) {}

  private final Set<DirectoryNode> polled = new HashSet<>();
  private final Map<Integer, Cause> causeByErrno = new LinkedHashMap<>();
  private final Map<Integer, Integer> reportedByErrno = new LinkedHashMap<>();

  /** Adds a directory that cannot be watched. */
  void add(DirectoryNode node, ErrnoException why) {
    polled.add(node);
    causeByErrno.putIfAbsent(why.errnoNumber(), new Cause(node.path, why));
  }

  /** Removes a directory that is watched again or gone. */
  void remove(DirectoryNode node) {
    polled.remove(node);
  }

  /** Returns the changes since the last call. */
  List<WatchChange> take() {
    if (causeByErrno.isEmpty()) {
      return List.of();
    }
    List<WatchChange> changes = new ArrayList<>(0);
    if (polled.isEmpty()) {
      causeByErrno
          .values()
          .forEach(cause -> changes.add(new WatchChange.Observable(cause.firstPath())));
      causeByErrno.clear();
      reportedByErrno.clear();
      return changes;
    }
    causeByErrno.forEach((errno, cause) -> tell(errno, cause, changes));
    return changes;
  }

  private void tell(int errno, Cause cause, List<WatchChange> changes) {
    if (polled.size() >= 2 * reportedByErrno.getOrDefault(errno, 0)) {
      reportedByErrno.put(errno, polled.size());
      changes.add(
          new WatchChange.Degraded(
              cause.firstPath(), polled.size(), cause.why(), hint(cause.why())));
    }
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
          case EPERM, ENOSYS ->
              why.operation().startsWith("inotify") ? NameListener.NOT_PERMITTED : NOT_REPORTED;
          default -> NOT_REPORTED;
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
