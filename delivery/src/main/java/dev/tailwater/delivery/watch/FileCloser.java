package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.keeper.QuietTails;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Closes the descriptors of files that are not needed now. Used by the watch thread only. */
final class FileCloser {
  private final List<QuietTails> lanes;
  private final OpenFiles openFiles;
  private final Problems problems;

  /** The files that were closed before they were compared. */
  private final Set<WatchedFile> uncompared = new LinkedHashSet<>();

  FileCloser(List<QuietTails> lanes, OpenFiles openFiles, Problems problems) {
    this.lanes = lanes;
    this.openFiles = openFiles;
    this.problems = problems;
  }

  /** Closes a file that has nothing at risk, so that another can be opened; false if it has. */
  boolean closeIfQuiet(WatchedFile file) {
    List<QuietTails> claimed = new ArrayList<>();
    for (QuietTails lane : lanes) {
      if (!lane.tryClaimQuiet(file)) {
        break;
      }
      claimed.add(lane);
    }
    boolean quiet = claimed.size() == lanes.size();
    if (quiet) {
      close(file);
      if (lacksComparison(file)) {
        uncompared.add(file);
      }
    }
    claimed.forEach(lane -> lane.release(file));
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

  private static boolean lacksComparison(WatchedFile file) {
    return file.tails().stream().anyMatch(tail -> tail.content().lacksComparison());
  }

  /** Returns the names of the files that were closed before they were compared, and still are. */
  List<PosixPath> uncompared() {
    uncompared.removeIf(file -> file.isOpen() || !lacksComparison(file));
    return uncompared.stream()
        .filter(file -> file.namelessSinceNanos().isEmpty())
        .map(WatchedFile::name)
        .toList();
  }

  /** Returns whether {@link #uncompared} may return any. */
  boolean hasUncompared() {
    return !uncompared.isEmpty();
  }
}
