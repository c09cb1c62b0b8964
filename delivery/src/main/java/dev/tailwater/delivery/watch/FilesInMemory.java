package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.quiet.FileEvictor;
import dev.tailwater.delivery.quiet.QuietDescriptors;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.watch.Backlog;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/**
 * Which files are in memory: lets quiet ones leave, and brings back those that are asked for. Used
 * by the watch thread only.
 */
final class FilesInMemory {
  private final ObserverContext context;
  private final FileRegistry registry;
  private final SuspectedFiles suspected;
  private final OpenFiles openFiles;
  private final FileCloser closer;
  private final QuietNames quietNames;
  private final FileReturn wayBack;
  private final FileEvictor evictor;
  private final UnchangedFiles unchanged;

  /**
   * Creates a set without files.
   *
   * @param suspected takes files that must be looked at again
   * @param isBusy returns whether the watch has to look at the file again by itself
   */
  FilesInMemory(
      ObserverContext context,
      OpenFiles openFiles,
      FileCloser closer,
      SuspectedFiles suspected,
      Predicate<WatchedFile> isBusy) {
    this.context = context;
    this.registry = context.registry();
    this.suspected = suspected;
    this.openFiles = openFiles;
    this.closer = closer;
    this.quietNames = new QuietNames(context, openFiles);
    this.wayBack =
        new FileReturn(
            context,
            openFiles,
            quietNames,
            new FileReturn.InMemory() {
              @Override
              public WatchedFile make(
                  PosixPath name,
                  long arrivalNanos,
                  Optional<Descriptor> descriptor,
                  FileIdentity identity) {
                return newFile(name, OptionalLong.of(arrivalNanos), descriptor, identity);
              }

              @Override
              public void cameBack(WatchedFile file) {
                active(file);
              }
            });
    this.unchanged = new UnchangedFiles(context, openFiles, quietNames);
    this.evictor =
        new FileEvictor(
            new FileDeparture(context, openFiles, quietNames, isBusy),
            context.settings().filesInMemory(),
            context.settings().clocks().nanoClock());
  }

  /** Returns what makes room for other files. */
  OpenFiles.Closing closing() {
    return new OpenFiles.Closing() {
      @Override
      public void leaveMemory() {
        evictor.makeRoom();
      }

      @Override
      public boolean closeSome(QuietDescriptors quiet) {
        return quietNames.closeSome(quiet);
      }

      @Override
      public boolean closeIfQuiet(WatchedFile file) {
        return closer.closeIfQuiet(file);
      }
    };
  }

  /**
   * Returns the file that has this name; empty where there is none, or that cannot be read.
   *
   * @param unknown is told why what is known of the file cannot be read
   */
  Optional<WatchedFile> find(PosixPath path, Consumer<IOException> unknown) {
    Optional<WatchedFile> file = registry.find(path);
    if (file.isPresent()) {
      return file;
    }
    try {
      return wayBack.recall(path);
    } catch (IOException e) {
      unknown.accept(e);
      return Optional.empty();
    }
  }

  /**
   * Brings back the file that is opened at a path, and the one that has lost this name to it.
   *
   * @throws IOException when the table of files cannot be read; then the descriptor is closed
   */
  void recallBefore(PosixPath path, TailOpener.Opened opened) throws IOException {
    boolean known = false;
    try {
      recallNameAndFile(path, opened.identity());
      known = true;
    } finally {
      if (!known) {
        opened.descriptor().close(); // It is opened again, and asked for again.
      }
    }
  }

  /** Brings back the file that was found at a path, and the one that has lost this name to it. */
  void recallNameAndFile(PosixPath path, FileIdentity identity) throws IOException {
    var _ = wayBack.recall(path);
    var _ = wayBack.recall(identity);
  }

  /**
   * Takes over the descriptor of a file that need not be in memory, since it is as an earlier run
   * has left it.
   *
   * @return false where that is not so: the descriptor is the caller's still
   * @throws IOException when the table of files cannot be read; then the descriptor is closed
   */
  boolean takeUnchanged(PosixPath path, TailOpener.Opened opened) throws IOException {
    boolean asked = false;
    try {
      boolean taken = unchanged.take(path, opened);
      asked = true;
      return taken;
    } finally {
      if (!asked) {
        opened.descriptor().close(); // It is opened again, and asked for again.
      }
    }
  }

  /**
   * Takes in a file that need not be in memory, since it is as an earlier run has left it, and that
   * there is no room to keep open; a descriptor stays the caller's.
   *
   * @return false where that is not so
   * @throws IOException when the table of files cannot be read
   */
  boolean takeUnchangedClosed(PosixPath path, FoundFile file) throws IOException {
    recallNameAndFile(path, file.identity());
    return unchanged.takeClosed(path, file);
  }

  /** Returns a file that is in memory from now on, and takes over a descriptor of it. */
  WatchedFile begin(PosixPath path, TailOpener.Opened opened) {
    WatchedFile file =
        newFile(path, OptionalLong.empty(), Optional.of(opened.descriptor()), opened.identity());
    registry.add(file);
    return file;
  }

  private WatchedFile newFile(
      PosixPath path,
      OptionalLong arrivalNanos,
      Optional<Descriptor> descriptor,
      FileIdentity identity) {
    return new WatchedFile(
        descriptor,
        path,
        arrivalNanos,
        identity,
        context.settings().names(),
        context.settings().owners(),
        suspected::add,
        context.comparisons(),
        context.arrivals()::nextNanos);
  }

  /** Brings a file back to memory, if it left. */
  void recall(FileIdentity identity) throws IOException {
    var _ = wayBack.recall(identity);
  }

  /** Notes that a file was found: it may leave as soon as it is quiet. */
  void found(WatchedFile file) {
    evictor.found(file);
  }

  /** Notes that a file is written to, or asked for: it stays in memory for a while. */
  void active(WatchedFile file) {
    evictor.active(file);
  }

  /** Closes a file with which all destinations are done. */
  void close(WatchedFile file) {
    evictor.closed(file);
    registry.remove(file);
    closer.close(file);
  }

  /** Returns how soon {@link #letLeave} has something to do; empty when it has nothing. */
  OptionalInt letLeaveAfterMillis() {
    return evictor.stepAfterMillis();
  }

  /** Lets some files leave memory, if it is time. */
  void letLeave() {
    evictor.step();
  }

  /**
   * Brings back the files that have changed since they left.
   *
   * @param opener opens those for which there is no room in memory, as soon as there is
   */
  void lookAtQuiet(Consumer<PosixPath> opener) {
    wayBack.lookAtAll(opener);
  }

  /** Returns whether a file that left has this name, and cannot come back for lack of memory. */
  boolean isKeptOut(PosixPath path) {
    return openFiles.isMemoryShort(path)
        && quietNames
            .ownerOf(path)
            .filter(ownerId -> openFiles.isMemoryFull(path, ownerId))
            .isPresent();
  }

  /** Takes the name away from a file that is {@linkplain #isKeptOut kept out}. */
  boolean loseName(PosixPath path) {
    return openFiles.isMemoryFull(path) && quietNames.loseName(path);
  }

  /** Returns which files below a source wait to be opened. */
  Backlog backlog() {
    return openFiles.backlog();
  }

  /** Returns how many files of each owner wait to be opened. */
  Map<Long, Long> waitingByOwner() {
    return openFiles.waitingByOwner();
  }

  /** Returns how many files wait to be opened, or to come back to memory. */
  long waitingFiles() {
    return openFiles.waitingFiles();
  }

  /** Returns whether files without a name wait for room in memory. */
  boolean hasNameless() {
    return quietNames.hasNameless();
  }

  /** Brings back files that have lost their names, as far as there is room. */
  void recallNameless(BiConsumer<WatchedFile, PosixPath> unname) {
    if (quietNames.hasNameless()) {
      evictor.makeRoom();
      wayBack.recallNameless(unname);
    }
  }

  /** Passes streams of files that are not in memory to the action, and returns whether all. */
  boolean forEachQuietStream(ObjIntConsumer<StreamId> action, BooleanSupplier inTime) {
    return wayBack.forEachStream(action, inTime);
  }

  /** Closes the files that left memory, after the last look. */
  void closeQuiet() throws IOException {
    for (QuietDescriptors quiet : openFiles.quiet()) {
      quiet.close();
    }
  }
}
