package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.keeper.QuietTails;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.quiet.QuietDescriptors;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.FileAttributes;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.OpenFileSystem;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * The way back to memory. A file that left comes back with its descriptor, its name and its tails
 * as they were: nobody else can tell that it was away. Used by the watch thread only.
 */
final class FileReturn {
  private static final String LOOK = "quiet files";

  private final ObserverSettings settings;
  private final TailOpener opener;
  private final FileRegistry registry;
  private final List<QuietTails> lanes;
  private final OpenFiles openFiles;
  private final QuietNames quietNames;
  private final Problems problems;
  private final InMemory inMemory;
  private final long startMillis;

  /** Has the files that are in memory. */
  interface InMemory {
    /** Makes a file; it has no tails yet. */
    WatchedFile make(
        PosixPath name, long arrivalNanos, Optional<Descriptor> descriptor, FileIdentity identity);

    /** Notes that a file has come back. */
    void cameBack(WatchedFile file);
  }

  FileReturn(
      ObserverContext context, OpenFiles openFiles, QuietNames quietNames, InMemory inMemory) {
    this.settings = context.settings();
    this.opener = context.opener();
    this.registry = context.registry();
    this.lanes = context.quietTails();
    this.problems = context.problems();
    this.openFiles = openFiles;
    this.quietNames = quietNames;
    this.inMemory = inMemory;
    this.startMillis = settings.clocks().millis();
  }

  /** Brings back the file that left memory with this name, if one did. */
  Optional<WatchedFile> recall(PosixPath name) throws IOException {
    Optional<QuietNames.Away> away = quietNames.find(name);
    return away.isPresent() ? recall(name, away.get()) : Optional.empty();
  }

  /** Brings back a file that left memory, if it did. */
  Optional<WatchedFile> recall(FileIdentity identity) throws IOException {
    if (quietNames.isEmpty() || registry.find(identity).isPresent()) {
      return Optional.empty();
    }
    Optional<PosixPath> name = lanes.getFirst().away(identity).map(this::nameOf);
    Optional<QuietNames.Away> away =
        name.isPresent() ? quietNames.find(name.get()) : Optional.empty();
    return away.filter(a -> a.identity().equals(identity)).isPresent()
        ? recall(name.orElseThrow(), away.get())
        : Optional.empty();
  }

  /** Returns the name that the file had when it left. */
  private PosixPath nameOf(Checkpoint away) {
    return settings.names().here(away.seen().path());
  }

  private Optional<WatchedFile> recall(PosixPath name, QuietNames.Away away) throws IOException {
    if (registry.find(away.identity()).isPresent()) {
      return Optional.empty();
    }
    Optional<Known> row = known(away.identity(), away.arrivalNanos());
    if (row.filter(found -> found.name().equals(name)).isEmpty()) {
      return Optional.empty(); // The row is outdated, or another name has the same hash.
    }
    Known known = row.get();
    FileCalls calls = openFiles.quietAt(name).calls();
    Optional<Descriptor> descriptor =
        quietNames.take(name, away).map(held -> Descriptor.adopt(calls, held.fd(), name));
    WatchedFile file = inMemory.make(name, away.arrivalNanos(), descriptor, away.identity());
    if (descriptor.isPresent()) {
      openFiles.cameBack(name, ownerOf(descriptor.get()), file);
    }
    registry.comeBack(name, file);
    comeBack(file, known.streams);
    return Optional.of(file);
  }

  private static long ownerOf(Descriptor file) {
    try {
      return file.calls().fstat(file.fd()).ownerId();
    } catch (ErrnoException e) {
      return OpenFiles.NOBODY; // Whoever looks at it finds out what is wrong.
    }
  }

  private void comeBack(WatchedFile file, List<StreamProgress> streams) {
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).comeBack(file, streams.get(i));
    }
    inMemory.cameBack(file);
  }

  /** What the table knows of a file that left memory. */
  private record Known(PosixPath name, List<StreamProgress> streams) {}

  private Optional<Known> known(FileIdentity identity, long arrivalNanos) throws IOException {
    List<StreamProgress> streams = new ArrayList<>();
    Optional<Checkpoint> any = Optional.empty();
    for (QuietTails lane : lanes) {
      Optional<Checkpoint> known = lane.away(identity);
      if (known.isEmpty() || any.filter(other -> !isSamePath(other, known.get())).isPresent()) {
        return Optional.empty();
      }
      streams.add(lane.streamOf(known.get(), arrivalNanos));
      any = known;
    }
    return any.map(row -> new Known(nameOf(row), List.copyOf(streams)));
  }

  private static boolean isSamePath(Checkpoint one, Checkpoint other) {
    return one.seen().path().equals(other.seen().path());
  }

  /**
   * Brings back files that have lost their names, as far as there is room.
   *
   * @param unname takes the name away from a file
   */
  void recallNameless(BiConsumer<WatchedFile, PosixPath> unname) {
    for (QuietDescriptors quiet : openFiles.quiet()) {
      Optional<QuietDescriptors.Held> first = quiet.firstNameless();
      while (first.isPresent() && openFiles.hasRoomInMemory(quiet)) {
        try {
          recallNameless(quiet, first.get(), unname);
        } catch (IOException e) {
          report(e);
          return;
        }
        first = quiet.firstNameless();
      }
    }
  }

  private void recallNameless(
      QuietDescriptors quiet, QuietDescriptors.Held held, BiConsumer<WatchedFile, PosixPath> unname)
      throws IOException {
    FileIdentity identity = FileIdentity.of(quiet.calls(), held.fd());
    Optional<Known> known =
        registry.find(identity).isPresent()
            ? Optional.empty()
            : known(identity, held.arrivalNanos());
    quiet.removeNameless(held);
    if (known.isEmpty()) {
      registry.forgetQuiet(); // It was opened at another name.
      quietNames.close(quiet, held.fd());
      return;
    }
    PosixPath name = known.get().name();
    Descriptor descriptor = Descriptor.adopt(quiet.calls(), held.fd(), name);
    WatchedFile file = inMemory.make(name, held.arrivalNanos(), Optional.of(descriptor), identity);
    openFiles.cameBack(name, ownerOf(descriptor), file);
    registry.comeBack(file);
    comeBack(file, known.get().streams());
    unname.accept(file, name);
  }

  /**
   * Passes the streams of files that are away to the action, once for each destination that has all
   * of the file, with the number of that. Those that have changed since they left are none: they
   * may wait for room in memory.
   *
   * @param inTime whether there is time for more
   * @return whether all files could be looked at in time
   */
  boolean forEachStream(ObjIntConsumer<StreamId> action, BooleanSupplier inTime) {
    try (ClosedFiles closed = new ClosedFiles(opener.batch(), startMillis, action, inTime)) {
      for (QuietDescriptors quiet : openFiles.quiet()) {
        forEachHeld(quiet, action, inTime);
      }
      quietNames.forEachClosed(
          (nameHash, file) -> {
            if (inTime.getAsBoolean() && registry.find(file).isEmpty()) {
              add(file, nameHash, closed);
            }
          },
          inTime);
      closed.lookAtAll();
      return inTime.getAsBoolean();
    } catch (IOException | UncheckedIOException e) {
      quietNames.reportHarmless(new IOException(e.getMessage(), e));
      return false;
    }
  }

  private void forEachHeld(
      QuietDescriptors quiet, ObjIntConsumer<StreamId> action, BooleanSupplier inTime)
      throws IOException {
    OpenFileSystem fileSystem = OpenFileSystem.unknown();
    for (QuietDescriptors.Held held : quiet.some(Integer.MAX_VALUE)) {
      if (inTime.getAsBoolean()) {
        Optional<FileStatus> status = unchanged(quiet.calls(), held);
        if (status.isPresent()) {
          fileSystem = fileSystem.at(status.get().device());
          held(fileSystem.identify(quiet.calls(), held.fd(), status.get()), action);
        }
      }
    }
  }

  private void held(FileIdentity file, ObjIntConsumer<StreamId> action) throws IOException {
    for (int lane = 0; lane < lanes.size(); lane++) {
      Optional<Checkpoint> away = lanes.get(lane).away(file);
      if (away.isPresent()) {
        action.accept(away.get().origin().id(), lane);
      }
    }
  }

  private void add(FileIdentity file, long nameHash, ClosedFiles closed) {
    List<Optional<Checkpoint>> streams = new ArrayList<>(lanes.size());
    Optional<PosixPath> name = Optional.empty();
    try {
      for (QuietTails lane : lanes) {
        Optional<Checkpoint> away =
            lane.away(file).filter(row -> quietNames.isClosedAt(nameOf(row), nameHash));
        name = name.or(() -> away.map(this::nameOf));
        streams.add(away);
      }
      if (name.isPresent()) {
        closed.add(name.get(), streams);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Looks at every file that is open, and brings back those that have changed.
   *
   * @param opener opens those for which there is no room in memory, as soon as there is
   */
  void lookAtAll(Consumer<PosixPath> opener) {
    boolean all = true;
    for (QuietDescriptors quiet : openFiles.quiet()) {
      List<QuietDescriptors.Held> changed = new ArrayList<>();
      quiet.forEach(
          held -> {
            if (isChanged(quiet.calls(), held)) {
              changed.add(held);
            }
          });
      for (QuietDescriptors.Held held : changed) {
        all &= recall(quiet, held, opener);
      }
    }
    if (all) {
      problems.resolved(LOOK);
    }
  }

  private static boolean isChanged(FileCalls calls, QuietDescriptors.Held held) {
    return unchanged(calls, held).isEmpty();
  }

  /** Returns the status of a file that is as it was when it left. */
  private static Optional<FileStatus> unchanged(FileCalls calls, QuietDescriptors.Held held) {
    try {
      FileStatus now = calls.fstat(held.fd());
      return held.attributes() == FileAttributes.hash(now) ? Optional.of(now) : Optional.empty();
    } catch (ErrnoException e) {
      return Optional.empty(); // Whoever asks for its identity finds out what is wrong.
    }
  }

  private boolean recall(
      QuietDescriptors quiet, QuietDescriptors.Held held, Consumer<PosixPath> opener) {
    try {
      FileIdentity identity = FileIdentity.of(quiet.calls(), held.fd());
      if (openFiles.hasRoomInMemory(quiet)) {
        var _ = recall(identity);
      } else {
        lanes.getFirst().away(identity).map(this::nameOf).ifPresent(opener);
      }
      return true;
    } catch (IOException e) {
      report(e);
      return false;
    }
  }

  /** Reports that a file could not be looked at, or brought back. */
  private void report(IOException e) {
    problems.report(
        LOOK,
        "files that are not in memory cannot be looked at: " + e.getMessage(),
        Optional.of("what was written to them stays at risk, and it is tried again"),
        false);
  }
}
