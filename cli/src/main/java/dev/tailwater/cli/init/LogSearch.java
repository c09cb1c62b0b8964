package dev.tailwater.cli.init;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.SourcePaths;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/**
 * A search for logs below some directories. It goes a few directories deep, looks at so many
 * directories and names and no more, follows no symbolic link below the directories, and none to
 * them that another user can have made ({@link SourcePaths}). Reads no file; opens one only to see
 * whether it may be read. For one thread, except for {@link #found} and {@link #isBounded}.
 */
final class LogSearch {
  /** A file that was not written for longer is no log that is being written. */
  static final Duration LATELY = Duration.ofHours(24);

  private static final int MAX_DEPTH = 4;
  private static final int MAX_DIRECTORIES = 2_000;
  private static final int MAX_NAMES = 50_000;

  private static final Pattern LOG_NAME =
      Pattern.compile("(?i).*\\.(log|jsonl|ndjson|out|err)([.-][0-9-]+)?");
  private static final Pattern COMPRESSED = Pattern.compile("(?i).*\\.(gz|xz|bz2|zst|lz4|zip)");
  private static final Pattern LOG_DIRECTORY = Pattern.compile("(?i)logs?");

  /** Rewritten in place by the system, so their bytes are not appended ones. */
  private static final Set<String> NO_LOGS = Set.of("journal", "lastlog", "faillog", "tallylog");

  private final FileCalls calls;
  private final SourcePaths paths;
  private final long sinceNanos;
  private final Deque<Step> steps = new ArrayDeque<>();
  private int directories;
  private int names;
  private volatile boolean bounded;

  /** What was found so far; the whole search may be given up while it hangs. */
  private final Queue<Place> found = new ConcurrentLinkedQueue<>();

  private record Step(PosixPath root, PosixPath path, int depth, boolean everythingIsLog) {}

  /**
   * A directory that holds logs, or something below a root that is to be left out.
   *
   * @param root below which it was found
   * @param noLog the name of what is rewritten in place there
   */
  record Place(PosixPath root, LogDirectory directory, Optional<String> noLog) {}

  /**
   * @param nowMillis since 1970
   */
  LogSearch(FileCalls calls, long nowMillis) {
    this.calls = calls;
    this.paths = new SourcePaths(calls);
    this.sinceNanos = (nowMillis - LATELY.toMillis()) * 1_000_000;
  }

  /** Returns what was found so far. */
  List<Place> found() {
    return List.copyOf(found);
  }

  /** Returns whether the search has come to a bound, and something may be missing. */
  boolean isBounded() {
    return bounded;
  }

  /**
   * Searches below a directory; one that is not there, or may not be read, has nothing.
   *
   * @param everythingIsLog whether files count as logs whatever their names are
   */
  void search(PosixPath root, boolean everythingIsLog) {
    steps.add(new Step(root, root, 0, everythingIsLog));
    while (!steps.isEmpty()) {
      Step step = steps.removeFirst();
      if (directories >= MAX_DIRECTORIES || names >= MAX_NAMES) {
        bounded = true;
        steps.clear();
        return;
      }
      directories++;
      try (Descriptor directory = paths.openDirectory(step.root, step.path, Set.of())) {
        look(step, directory);
      } catch (ErrnoException e) {
        // Not there, not readable, or a link of somebody else's: nothing to propose.
        bounded |= e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE;
      }
    }
  }

  private void look(Step step, Descriptor directory) throws ErrnoException {
    List<DirectoryEntry> entries = new ArrayList<>();
    calls.entries(
        directory.fd(),
        entry -> {
          if (names < MAX_NAMES) {
            entries.add(entry);
          } else {
            bounded = true;
          }
          names++;
        });
    LogDirectory logs = new LogDirectory(step.path, 0, 0, 0);
    for (DirectoryEntry entry : entries) {
      String name = entry.name().decoded();
      if (NO_LOGS.contains(name) && step.everythingIsLog) {
        found.add(new Place(step.root, new LogDirectory(step.path, 0, 0, 0), Optional.of(name)));
      } else if (entry.type() == EntryType.DIRECTORY) {
        descend(step, entry.name());
      } else if (isLog(step, name)) {
        logs = logs.plus(file(step.path, directory, entry.name()));
      }
    }
    if (logs.files() > 0) {
      found.add(new Place(step.root, logs, Optional.empty()));
    }
  }

  private void descend(Step step, PosixPath name) {
    String text = name.decoded();
    if (step.depth < MAX_DEPTH && !text.startsWith(".")) {
      boolean all = step.everythingIsLog || LOG_DIRECTORY.matcher(text).matches();
      steps.add(new Step(step.root, step.path.resolve(name), step.depth + 1, all));
    }
  }

  private static boolean isLog(Step step, String name) {
    return !name.startsWith(".")
        && !COMPRESSED.matcher(name).matches()
        && (step.everythingIsLog || LOG_NAME.matcher(name).matches());
  }

  /** Looks at one file; a file that is no log adds nothing. */
  private LogDirectory file(PosixPath path, Descriptor directory, PosixPath name) {
    try {
      FileStatus status = calls.statx(directory.fd(), name, EnumSet.of(StatFlag.NO_FOLLOW));
      boolean written =
          status.type() == EntryType.REGULAR
              && status.sizeBytes() > 0
              && status.modificationTimeNanos() >= sinceNanos;
      return written
          ? new LogDirectory(path, 1, status.sizeBytes(), mayRead(directory, name) ? 0 : 1)
          : new LogDirectory(path, 0, 0, 0);
    } catch (ErrnoException e) {
      return new LogDirectory(path, 0, 0, 0); // It went away, or is none of this user's business.
    }
  }

  private boolean mayRead(Descriptor directory, PosixPath name) {
    try {
      calls.close(
          calls.open(directory.fd(), name, EnumSet.of(OpenFlag.NO_FOLLOW, OpenFlag.NON_BLOCK), 0));
      return true;
    } catch (ErrnoException e) {
      return false;
    }
  }
}
