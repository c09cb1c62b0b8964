package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which open file each name leads to: gives names to files and takes them away, and remembers which
 * files have none and of which there is something new to tell. Used by the watch thread only.
 */
final class NamedFiles {
  private final ObserverSettings settings;
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final OpenFiles openFiles;
  private final FilesInMemory memory;
  private final FileLooks looks;
  private final SharedNumbers sharedNumbers;
  private final Set<WatchedFile> nameless = new LinkedHashSet<>();
  private final Set<WatchedFile> renamed = new LinkedHashSet<>();

  NamedFiles(ObserverContext context, OpenFiles openFiles, FilesInMemory memory, Losses losses) {
    this.settings = context.settings();
    this.registry = context.registry();
    this.keepers = context.keepers();
    this.openFiles = openFiles;
    this.memory = memory;
    this.sharedNumbers = new SharedNumbers(context);
    this.looks =
        new FileLooks(keepers, context.problems(), losses, renamed::add, registry::lookedAt);
  }

  /** Returns what looks at these files. */
  FileLooks looks() {
    return looks;
  }

  /** Returns whether the watch has to look at the file again by itself. */
  boolean isBusy(WatchedFile file) {
    return nameless.contains(file) || renamed.contains(file);
  }

  /**
   * Returns the file that has this name, which is in memory then; it is active.
   *
   * @param unknown is told why what is known of the file cannot be read
   */
  Optional<WatchedFile> find(PosixPath path, Consumer<IOException> unknown) {
    return memory.find(path, unknown);
  }

  /**
   * Gives the name to a file that was opened at it, and that was {@linkplain
   * FilesInMemory#recallBefore brought back} before; takes over its descriptor.
   */
  void opened(PosixPath path, TailOpener.Opened opened, boolean isFirstScan) throws IOException {
    bind(path, fileOf(path, opened, false), Optional.of(opened.status()), isFirstScan);
  }

  /** Returns whether a file that was opened is left out, and closes it then. */
  boolean leavesOut(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    boolean takesIn = false;
    try {
      takesIn = !sharedNumbers.mustLeaveOut(path, opened);
    } finally {
      if (!takesIn) {
        opened.descriptor().close();
      }
    }
    return !takesIn;
  }

  /** Forgets a path at which a file may have been left out. */
  void forgetLeftOut(PosixPath path) {
    sharedNumbers.forget(path);
  }

  /**
   * As {@link #opened}, for a file that was opened in an early place.
   *
   * @return false where it is left out
   */
  boolean openedEarly(PosixPath path, TailOpener.Opened opened, boolean isFirstScan)
      throws IOException {
    boolean taken = false;
    try {
      memory.recallBefore(path, opened);
      taken = !leavesOut(path, opened);
    } finally {
      if (!taken) {
        openFiles.giveEarly(path, opened.status().ownerId());
      }
    }
    if (!taken) {
      return false;
    }
    // What it was like then may be old by now.
    bind(path, fileOf(path, opened, true), Optional.empty(), isFirstScan);
    return true;
  }

  /**
   * Gives the name to a file that was found at it, if that is known.
   *
   * @return false where the file is left out
   */
  boolean found(PosixPath path, FileIdentity identity) throws IOException {
    memory.recallNameAndFile(path, identity);
    if (sharedNumbers.mustLeaveOut(path, identity)) {
      return false;
    }
    registry.find(identity).ifPresent(file -> bind(path, file));
    return true;
  }

  private void bind(
      PosixPath path, WatchedFile file, Optional<FileStatus> opened, boolean isFirstScan)
      throws IOException {
    bind(path, file);
    for (TailKeeper keeper : keepers) {
      keeper.attend(file, opened, isFirstScan);
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
    long ownerId = opened.status().ownerId();
    Optional<WatchedFile> known = registry.find(opened.identity());
    known.ifPresent(renamed::add);
    if (known.isPresent() && known.get().isOpen()) {
      if (isEarly) {
        openFiles.giveEarly(path, ownerId);
      }
      boolean replaces = false;
      try {
        replaces = isMountedAnew(known.get(), path, opened.status());
      } finally {
        if (!replaces) {
          opened.descriptor().close();
        }
      }
      if (replaces) {
        known.get().replaceDescriptor(opened.descriptor());
      }
      return known.get();
    }
    WatchedFile file = known.isPresent() ? known.get() : memory.begin(path, opened);
    if (known.isPresent()) {
      if (mayBeOfAnother(file, path)) {
        file.tails().forEach(Tail::uncompared);
      }
      file.adopt(opened.descriptor());
    }
    if (isEarly) {
      openFiles.openedEarly(path, ownerId, file);
    } else {
      openFiles.opened(path, ownerId, file);
    }
    memory.found(file);
    return file;
  }

  /**
   * Returns whether what is at a path may be another file, which has got the number of one that is
   * not open: where inodes have no generations, only the name tells them apart.
   */
  private static boolean mayBeOfAnother(WatchedFile known, PosixPath path) {
    return known.identity().generation().isEmpty() && !known.name().equals(path);
  }

  /**
   * Returns whether the file is open on a device that is not at this path any more: its disk was
   * taken away and attached again, or replaced by a copy. A copy that is mounted beside it has
   * another path.
   */
  private static boolean isMountedAnew(WatchedFile known, PosixPath path, FileStatus now)
      throws ErrnoException {
    List<PosixPath> names = known.names();
    if (!names.isEmpty() && !names.equals(List.of(path))) {
      return false;
    }
    Optional<SharedDescriptor.Lease> lease = known.lease();
    if (lease.isEmpty()) {
      return false;
    }
    try (SharedDescriptor.Lease held = lease.get()) {
      return held.calls().fstat(held.fd()).device() != now.device();
    }
  }

  /**
   * Takes the name away from the file that had it.
   *
   * @param unknown is told why what is known of the file cannot be read
   */
  void unbind(PosixPath path, Consumer<IOException> unknown) {
    if (registry.find(path).isEmpty() && memory.loseName(path)) {
      return; // Its bytes are read through the descriptor, when there is room in memory.
    }
    if (find(path, unknown).isPresent()) {
      registry.unbind(path).ifPresent(file -> unname(file, path));
    }
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

  /** Brings back files that have lost their names while there was no room in memory. */
  void recallNameless() {
    memory.recallNameless(this::unname);
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
    memory.close(file);
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
