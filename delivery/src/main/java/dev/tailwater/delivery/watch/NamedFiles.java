package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.checkpoint.Arrivals;
import dev.tailwater.delivery.tail.Comparisons;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which open file each name leads to: gives names to files and takes them away, and remembers which
 * files have none and of which there is something new to tell. Used by the watch thread only.
 */
final class NamedFiles {
  private final ObserverSettings settings;
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final OpenFiles openFiles;
  private final SuspectedFiles suspected;
  private final Comparisons comparisons;
  private final Arrivals arrivals;
  private final FileLooks looks;
  private final Set<WatchedFile> nameless = new LinkedHashSet<>();
  private final Set<WatchedFile> renamed = new LinkedHashSet<>();

  NamedFiles(
      ObserverContext context, OpenFiles openFiles, Losses losses, SuspectedFiles suspected) {
    this.settings = context.settings();
    this.registry = context.registry();
    this.keepers = context.keepers();
    this.openFiles = openFiles;
    this.suspected = suspected;
    this.comparisons = context.comparisons();
    this.arrivals = context.arrivals();
    this.looks = new FileLooks(keepers, context.problems(), losses, renamed::add);
  }

  /** Returns what looks at these files. */
  FileLooks looks() {
    return looks;
  }

  /** Gives the name to a file that was opened at it, and takes over its descriptor. */
  void opened(PosixPath path, TailOpener.Opened opened, boolean isFirstScan) throws IOException {
    bind(path, fileOf(path, opened, false), isFirstScan);
  }

  /** As {@link #opened}, for a file that was opened in an early place. */
  void openedEarly(PosixPath path, TailOpener.Opened opened, boolean isFirstScan)
      throws IOException {
    bind(path, fileOf(path, opened, true), isFirstScan);
  }

  /** Gives the name to a file that was found at it, if that is known. */
  void found(PosixPath path, FileIdentity identity) {
    registry.find(identity).ifPresent(file -> bind(path, file));
  }

  private void bind(PosixPath path, WatchedFile file, boolean isFirstScan) throws IOException {
    bind(path, file);
    for (TailKeeper keeper : keepers) {
      keeper.attend(file, isFirstScan);
    }
    looks.noteChanges(file);
  }

  private void bind(PosixPath path, WatchedFile file) {
    registry.bind(path, file).ifPresent(before -> unname(before, path));
    file.addName(path);
    registry.named(file);
    nameless.remove(file);
  }

  private WatchedFile fileOf(PosixPath path, TailOpener.Opened opened, boolean isEarly)
      throws ErrnoException {
    Optional<WatchedFile> known = registry.find(opened.identity());
    known.ifPresent(renamed::add);
    if (known.isPresent() && known.get().isOpen()) {
      if (isEarly) {
        openFiles.giveEarly(path);
      }
      opened.descriptor().close();
      return known.get();
    }
    WatchedFile file = known.isPresent() ? known.get() : newFile(path, opened);
    if (known.isPresent()) {
      file.adopt(opened.descriptor());
    }
    if (isEarly) {
      openFiles.openedEarly(path, file);
    } else {
      openFiles.opened(path, file);
    }
    return file;
  }

  private WatchedFile newFile(PosixPath path, TailOpener.Opened opened) {
    WatchedFile file =
        new WatchedFile(
            opened.descriptor(),
            path,
            opened.identity(),
            settings.names(),
            settings.owners(),
            suspected::add,
            comparisons,
            arrivals::nextNanos);
    registry.add(file);
    return file;
  }

  /** Takes the name away from the file that had it. */
  void unbind(PosixPath path) {
    registry.unbind(path).ifPresent(file -> unname(file, path));
  }

  private void unname(WatchedFile file, PosixPath path) {
    file.removeName(path, settings.clocks().nanos());
    if (file.namelessSinceNanos().isPresent()) {
      nameless.add(file);
      looks.refresh(file);
    } else {
      renamed.add(file);
    }
  }

  /** Returns the files without a name, as they are now. */
  List<WatchedFile> nameless() {
    return List.copyOf(nameless);
  }

  /** Returns how many files have no name. */
  int namelessCount() {
    return nameless.size();
  }

  /** Forgets a file without a name that is done with. */
  void remove(WatchedFile file) {
    nameless.remove(file);
    registry.remove(file);
  }

  /** Returns whether {@link #tellNames} has something to do. */
  boolean hasToTell() {
    return !renamed.isEmpty();
  }

  /** Has new names recorded. */
  void tellNames() {
    for (WatchedFile file : List.copyOf(renamed)) {
      renamed.remove(file);
      looks.refresh(file);
      keepers.forEach(keeper -> keeper.renamed(file));
    }
  }
}
