package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.ErrnoException;
import java.util.ArrayList;
import java.util.List;

/** Closes the descriptors of files that are not needed now. Used by the watch thread only. */
final class FileCloser {
  private final List<TailKeeper> keepers;
  private final OpenFiles openFiles;
  private final Problems problems;

  FileCloser(List<TailKeeper> keepers, OpenFiles openFiles, Problems problems) {
    this.keepers = keepers;
    this.openFiles = openFiles;
    this.problems = problems;
  }

  /** Closes a file that has nothing at risk, so that another can be opened; false if it has. */
  boolean closeIfQuiet(WatchedFile file) {
    List<TailKeeper> claimed = new ArrayList<>();
    for (TailKeeper keeper : keepers) {
      if (!keeper.tryClaimQuiet(file)) {
        break;
      }
      claimed.add(keeper);
    }
    boolean quiet = claimed.size() == keepers.size();
    if (quiet) {
      close(file);
    }
    claimed.forEach(keeper -> keeper.release(file));
    return quiet;
  }

  void close(WatchedFile file) {
    if (!file.isOpen()) {
      return;
    }
    openFiles.closed(file);
    try {
      file.giveUpDescriptor();
    } catch (ErrnoException e) {
      // Linux frees the descriptor all the same, and of a file that was only read nothing is lost.
      problems.report(file.name().toString(), e, "nothing is lost; the file was only read");
    }
  }
}
