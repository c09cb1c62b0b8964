package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.Checkpoint;
import dev.tailwater.delivery.checkpoint.NameTable;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.FileAttributes;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The files that left memory since they have nothing at risk. What is known of them is in the table
 * of files. In memory are only their open descriptors, by a hash of their names; where descriptors
 * are short, the names of those that are closed are in the table too. A file comes back with its
 * descriptor, its name and its tails as they were: nobody else can tell that it was away. Used by
 * the watch thread only.
 */
final class QuietFiles {
  /** So many descriptors are closed together, with one write of the table. */
  private static final int CLOSED_AT_ONCE = 256;

  private static final String LOOK = "quiet files";
  private static final String TABLE = "table of files";

  private final ObserverSettings settings;
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final NameTable names;
  private final OpenFiles openFiles;
  private final Problems problems;
  private final InMemory inMemory;
  private final NameHash hashes;

  /** How many have no descriptor. */
  private long closed;

  /** Has the files that are in memory. */
  interface InMemory {
    /** Makes a file; it has no tails yet. */
    WatchedFile make(
        PosixPath name, long arrivalNanos, Optional<Descriptor> descriptor, FileIdentity identity);

    /** Notes that a file has come back. */
    void cameBack(WatchedFile file);
  }

  /** A file that may come back. */
  private record Away(
      FileIdentity identity,
      Optional<QuietDescriptors.Held> held,
      int attributes,
      long arrivalNanos) {}

  QuietFiles(ObserverContext context, OpenFiles openFiles, InMemory inMemory) {
    this.settings = context.settings();
    this.registry = context.registry();
    this.keepers = context.keepers();
    this.names = context.names();
    this.problems = context.problems();
    this.openFiles = openFiles;
    this.inMemory = inMemory;
    this.hashes = new NameHash(context.random());
  }

  /** Returns whether a file has nothing at risk, and nobody needs it. */
  boolean mayLeave(WatchedFile file) {
    return file.hasOneName()
        && keepers.stream().allMatch(keeper -> keeper.mayLeave(file))
        && settings.names().here(file.archivedName()).equals(file.name())
        && attributes(file).isPresent();
  }

  /** Returns a hash of the file's attributes; empty where its tails have seen different ones. */
  private OptionalInt attributes(WatchedFile file) {
    OptionalInt all = OptionalInt.empty();
    for (TailKeeper keeper : keepers) {
      OptionalInt one = keeper.attributes(file);
      if (one.isEmpty() || (all.isPresent() && all.getAsInt() != one.getAsInt())) {
        return OptionalInt.empty();
      }
      all = one;
    }
    return all;
  }

  /**
   * Lets files leave memory.
   *
   * @return those that stay, since something is done with them at this moment
   */
  List<WatchedFile> leave(List<WatchedFile> files) {
    List<WatchedFile> staying = new ArrayList<>();
    Deque<WatchedFile> claimed = new ArrayDeque<>();
    for (WatchedFile file : files) {
      (claim(file) ? claimed : staying).add(file);
    }
    try {
      keepers.forEach(keeper -> keeper.saveClaimed(claimed));
      Map<Long, NameTable.Named> closing = closedOf(claimed);
      while (!claimed.isEmpty()) {
        WatchedFile file = claimed.getFirst();
        boolean left =
            mayLeave(file)
                && keepers.stream().allMatch(keeper -> keeper.isSaved(file))
                && giveUp(file, closing);
        claimed.removeFirst();
        release(file, left);
        if (!left) {
          staying.add(file);
        }
      }
    } finally {
      claimed.forEach(file -> release(file, false)); // Something has failed.
    }
    return staying;
  }

  private void release(WatchedFile file, boolean left) {
    keepers.forEach(keeper -> keeper.releaseClaimed(file, left));
    if (left) {
      registry.leave(file);
    }
  }

  private boolean claim(WatchedFile file) {
    List<TailKeeper> claimed = new ArrayList<>();
    for (TailKeeper keeper : keepers) {
      if (!keeper.tryClaim(file)) {
        claimed.forEach(other -> other.release(file));
        return false;
      }
      claimed.add(keeper);
    }
    return true;
  }

  /** Writes the names of those without a descriptor; returns none if that fails. */
  private Map<Long, NameTable.Named> closedOf(Collection<WatchedFile> files) {
    Map<Long, NameTable.Named> named = new LinkedHashMap<>();
    for (WatchedFile file : files) {
      OptionalInt attributes = attributes(file);
      if (!file.isOpen() && attributes.isPresent()) {
        named.put(
            hash(file.name()),
            new NameTable.Named(file.identity(), attributes.getAsInt(), arrivalNanos(file)));
      }
    }
    return write(named) ? named : Map.of();
  }

  private static long arrivalNanos(WatchedFile file) {
    return file.archivedPlace().arrivalNanos().orElseThrow();
  }

  private boolean write(Map<Long, NameTable.Named> named) {
    try {
      if (!named.isEmpty()) {
        names.add(named);
        problems.resolved(TABLE);
      }
      return true;
    } catch (IOException e) {
      reportHarmless(e);
      return false;
    }
  }

  private boolean giveUp(WatchedFile file, Map<Long, NameTable.Named> closing) {
    long nameHash = hash(file.name());
    if (!file.isOpen()) {
      NameTable.Named named = closing.get(nameHash);
      boolean known = named != null && named.identity().equals(file.identity());
      closed += known ? 1 : 0;
      return known;
    }
    QuietDescriptors quiet = openFiles.quietAt(file.name());
    OptionalInt attributes = attributes(file);
    if (attributes.isEmpty() || quiet.find(nameHash).isPresent() || !openFiles.mayLeave(file)) {
      return false; // Two names have one hash, or there is no place for its descriptor.
    }
    Optional<Descriptor> descriptor = file.takeDescriptor();
    if (descriptor.isEmpty()) {
      return false; // Somebody uses it.
    }
    openFiles.left(file, file.name());
    int fd = descriptor.get().release();
    long arrivalNanos = arrivalNanos(file);
    if (!quiet.add(new QuietDescriptors.Held(nameHash, fd, attributes.getAsInt(), arrivalNanos))) {
      close(quiet, fd); // The agent ends.
    }
    return true;
  }

  private void close(QuietDescriptors quiet, int fd) {
    openFiles.closedQuiet(quiet);
    try {
      quiet.calls().close(fd);
    } catch (ErrnoException e) {
      reportHarmless(e); // Linux frees it all the same.
    }
  }

  /** Brings back the file that left memory with this name, if one did. */
  Optional<WatchedFile> recall(PosixPath name) throws IOException {
    Optional<Away> away = find(name);
    return away.isPresent() ? recall(name, away.get()) : Optional.empty();
  }

  /** Brings back a file that left memory, if it did. */
  Optional<WatchedFile> recall(FileIdentity identity) throws IOException {
    if (isEmpty() || registry.find(identity).isPresent()) {
      return Optional.empty();
    }
    Optional<PosixPath> name = keepers.getFirst().away(identity).map(this::nameOf);
    Optional<Away> away = name.isPresent() ? find(name.get()) : Optional.empty();
    return away.filter(a -> a.identity().equals(identity)).isPresent()
        ? recall(name.orElseThrow(), away.get())
        : Optional.empty();
  }

  /** Returns the name that the file had when it left. */
  private PosixPath nameOf(Checkpoint away) {
    return settings.names().here(away.seen().path());
  }

  private boolean isEmpty() {
    return closed == 0 && openFiles.quietCount() == 0;
  }

  private Optional<Away> find(PosixPath name) throws IOException {
    if (isEmpty()) {
      return Optional.empty();
    }
    QuietDescriptors quiet = openFiles.quietAt(name);
    Optional<QuietDescriptors.Held> held = quiet.find(hash(name));
    if (held.isPresent()) {
      FileIdentity identity = FileIdentity.of(quiet.calls(), held.get().fd());
      return Optional.of(
          new Away(identity, held, held.get().attributes(), held.get().arrivalNanos()));
    }
    return closed == 0
        ? Optional.empty()
        : names
            .find(hash(name))
            .map(
                named ->
                    new Away(
                        named.identity(),
                        Optional.empty(),
                        named.attributes(),
                        named.arrivalNanos()));
  }

  private Optional<WatchedFile> recall(PosixPath name, Away away) throws IOException {
    if (registry.find(away.identity()).isPresent()) {
      return Optional.empty();
    }
    Optional<Known> row = known(away.identity(), away.arrivalNanos());
    if (row.filter(found -> found.name().equals(name)).isEmpty()) {
      return Optional.empty(); // The row is outdated, or another name has the same hash.
    }
    Known known = row.get();
    Optional<Descriptor> descriptor = Optional.empty();
    if (away.held().isPresent()) {
      QuietDescriptors quiet = openFiles.quietAt(name);
      quiet.remove(away.held().get().nameHash());
      descriptor = Optional.of(Descriptor.adopt(quiet.calls(), away.held().get().fd(), name));
    } else {
      closed--; // What the table says of the name is outdated from now on, and found to be so.
    }
    WatchedFile file = inMemory.make(name, away.arrivalNanos(), descriptor, away.identity());
    if (descriptor.isPresent()) {
      openFiles.cameBack(name, file);
    }
    registry.comeBack(name, file);
    comeBack(file, known.streams, away.attributes());
    return Optional.of(file);
  }

  private void comeBack(WatchedFile file, List<StreamProgress> streams, int attributes) {
    for (int i = 0; i < keepers.size(); i++) {
      keepers.get(i).comeBack(file, streams.get(i), attributes);
    }
    inMemory.cameBack(file);
  }

  /** What the table knows of a file that left memory. */
  private record Known(PosixPath name, List<StreamProgress> streams) {}

  private Optional<Known> known(FileIdentity identity, long arrivalNanos) throws IOException {
    List<StreamProgress> streams = new ArrayList<>();
    Optional<Checkpoint> any = Optional.empty();
    for (TailKeeper keeper : keepers) {
      Optional<Checkpoint> known = keeper.away(identity);
      if (known.isEmpty() || any.filter(other -> !isSamePath(other, known.get())).isPresent()) {
        return Optional.empty();
      }
      streams.add(keeper.streamOf(known.get(), arrivalNanos));
      any = known;
    }
    return any.map(row -> new Known(nameOf(row), List.copyOf(streams)));
  }

  private static boolean isSamePath(Checkpoint one, Checkpoint other) {
    return one.seen().path().equals(other.seen().path());
  }

  /** Takes the name away from a file that left memory with its descriptor; false if none did. */
  boolean loseName(PosixPath name) {
    return openFiles.quietAt(name).loseName(hash(name));
  }

  /** Returns whether the file that left memory with this name is still open. */
  boolean holds(PosixPath name) {
    return openFiles.quietAt(name).find(hash(name)).isPresent();
  }

  /** Returns whether files without a name wait for room in memory. */
  boolean hasNameless() {
    return openFiles.quiet().stream().anyMatch(quiet -> quiet.firstNameless().isPresent());
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
      close(quiet, held.fd());
      return;
    }
    PosixPath name = known.get().name();
    Descriptor descriptor = Descriptor.adopt(quiet.calls(), held.fd(), name);
    WatchedFile file = inMemory.make(name, held.arrivalNanos(), Optional.of(descriptor), identity);
    openFiles.cameBack(name, file);
    registry.comeBack(file);
    comeBack(file, known.get().streams(), held.attributes());
    unname.accept(file, name);
  }

  /**
   * Returns streams of open files at one destination, which has all of them.
   *
   * @param most how many to return at most
   */
  List<StreamId> streams(TailKeeper keeper, int most) {
    List<StreamId> streams = new ArrayList<>();
    for (QuietDescriptors quiet : openFiles.quiet()) {
      for (QuietDescriptors.Held held : quiet.some(most - streams.size())) {
        try {
          keeper
              .away(FileIdentity.of(quiet.calls(), held.fd()))
              .ifPresent(known -> streams.add(known.origin().id()));
        } catch (IOException e) {
          reportHarmless(e);
        }
      }
    }
    return streams;
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
    try {
      return held.attributes() != FileAttributes.hash(calls.fstat(held.fd()));
    } catch (ErrnoException e) {
      return true; // Whoever asks for its identity finds out what is wrong.
    }
  }

  private boolean recall(
      QuietDescriptors quiet, QuietDescriptors.Held held, Consumer<PosixPath> opener) {
    try {
      FileIdentity identity = FileIdentity.of(quiet.calls(), held.fd());
      if (openFiles.hasRoomInMemory(quiet)) {
        var _ = recall(identity);
      } else {
        keepers.getFirst().away(identity).map(this::nameOf).ifPresent(opener);
      }
      return true;
    } catch (IOException e) {
      report(e);
      return false;
    }
  }

  /** Closes descriptors, so that other files can be opened. */
  boolean closeSome(QuietDescriptors quiet) {
    Map<Long, NameTable.Named> named = new LinkedHashMap<>();
    List<QuietDescriptors.Held> closing = quiet.some(CLOSED_AT_ONCE);
    try {
      for (QuietDescriptors.Held held : closing) {
        FileIdentity identity = FileIdentity.of(quiet.calls(), held.fd());
        named.put(
            held.nameHash(), new NameTable.Named(identity, held.attributes(), held.arrivalNanos()));
      }
      names.add(named);
      problems.resolved(TABLE);
      for (QuietDescriptors.Held held : closing) {
        quiet.remove(held.nameHash());
        closed++;
        close(quiet, held.fd());
      }
      return true;
    } catch (IOException e) {
      reportHarmless(e);
      return false;
    }
  }

  private long hash(PosixPath name) {
    return hashes.of(name);
  }

  /** Reports that a file could not be looked at, or brought back. */
  private void report(IOException e) {
    problems.report(
        LOOK,
        "files that are not in memory cannot be looked at: " + e.getMessage(),
        Optional.of("what was written to them stays at risk, and it is tried again"),
        false);
  }

  /** Reports that files could not leave, or that it is not known what left. */
  private void reportHarmless(IOException e) {
    problems.reportHarmless(
        TABLE, e, "nothing is lost; files need more memory until that is mended");
  }
}
