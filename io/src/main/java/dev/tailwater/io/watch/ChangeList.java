package dev.tailwater.io.watch;

import dev.tailwater.io.watch.result.FileChanges;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;

/** The changes that one call of {@link DirectoryWatch#poll} returns. */
final class ChangeList implements FileChanges {
  private final List<WatchChange> changes = new ArrayList<>();

  void addAll(List<WatchChange> more) {
    changes.addAll(more);
  }

  /** Returns the changes in the order in which they were added. */
  List<WatchChange> changes() {
    return changes;
  }

  @Override
  public void missed(PosixPath path, boolean written) {
    changes.add(new WatchChange.Missed(path, written));
  }

  @Override
  public void disappeared(PosixPath path) {
    changes.add(new WatchChange.Disappeared(path));
  }

  @Override
  public void renamed(PosixPath from, PosixPath path) {
    changes.add(new WatchChange.Renamed(from, path));
  }

  @Override
  public void appeared(PosixPath path) {
    changes.add(new WatchChange.Appeared(path));
  }

  @Override
  public void modified(PosixPath path) {
    changes.add(new WatchChange.Modified(path));
  }

  @Override
  public void writtenElsewhere(PosixPath path) {
    changes.add(new WatchChange.WrittenElsewhere(path));
  }
}
