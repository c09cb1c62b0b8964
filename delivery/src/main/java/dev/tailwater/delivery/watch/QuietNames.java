package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.checkpoint.NameHash;
import dev.tailwater.delivery.checkpoint.NameTable;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.quiet.QuietDescriptors;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.OpenFileSystem;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The names of files that left memory: each leads to an open descriptor or, where descriptors are
 * short, to a row in the table of files. Used by the watch thread only.
 */
final class QuietNames {
  /** So many descriptors are closed together, with one write of the table. */
  private static final int CLOSED_AT_ONCE = 256;

  private static final String TABLE = "table of files";

  private final NameTable table;
  private final OpenFiles openFiles;
  private final Problems problems;
  private final NameHash hashes;

  /** How many have no descriptor. */
  private long closed;

  /** What the table does not say yet. */
  private final Map<Long, NameTable.Named> unwritten = new LinkedHashMap<>();

  /** A file that may come back. */
  record Away(FileIdentity identity, Optional<QuietDescriptors.Held> held, long arrivalNanos) {}

  QuietNames(ObserverContext context, OpenFiles openFiles) {
    this.table = context.names();
    this.problems = context.problems();
    this.openFiles = openFiles;
    this.hashes = new NameHash(context.random());
  }

  long hash(PosixPath name) {
    return hashes.of(name);
  }

  /** Returns whether no file is away. */
  boolean isEmpty() {
    return closed == 0 && openFiles.quietCount() == 0;
  }

  /** Returns the file that left with this name, if one did. */
  Optional<Away> find(PosixPath name) throws IOException {
    if (isEmpty()) {
      return Optional.empty();
    }
    QuietDescriptors quiet = openFiles.quietAt(name);
    Optional<QuietDescriptors.Held> held = quiet.find(hashes.of(name));
    if (held.isPresent()) {
      FileIdentity identity = FileIdentity.of(quiet.calls(), held.get().fd());
      return Optional.of(new Away(identity, held, held.get().arrivalNanos()));
    }
    return closed == 0
        ? Optional.empty()
        : closedOf(hashes.of(name))
            .map(named -> new Away(named.identity(), Optional.empty(), named.arrivalNanos()));
  }

  private Optional<NameTable.Named> closedOf(long nameHash) throws IOException {
    NameTable.Named named = unwritten.get(nameHash);
    return named != null ? Optional.of(named) : table.find(nameHash);
  }

  /** Gives the descriptor of a file that comes back to the caller, if it has one. */
  Optional<QuietDescriptors.Held> take(PosixPath name, Away away) {
    if (away.held().isPresent()) {
      openFiles.quietAt(name).remove(away.held().get().nameHash());
    } else {
      closed--; // What the table says of the name is outdated from now on, and found to be so.
      unwritten.remove(hashes.of(name));
    }
    return away.held();
  }

  /** Notes that a file left without a descriptor; its name is in the table. */
  void leftClosed() {
    closed++;
  }

  /** Takes in a file without a descriptor; false where its name cannot be written. */
  boolean addClosed(PosixPath name, NameTable.Named file) {
    if (unwritten.size() >= CLOSED_AT_ONCE && !write(Map.of())) {
      return false;
    }
    unwritten.put(hashes.of(name), file);
    closed++;
    return true;
  }

  /** Takes the name away from a file that left memory with its descriptor; false if none did. */
  boolean loseName(PosixPath name) {
    return openFiles.quietAt(name).loseName(hashes.of(name));
  }

  /**
   * Returns the owner of the file that left memory with this name; empty if it is no longer open.
   */
  Optional<Long> ownerOf(PosixPath name) {
    QuietDescriptors quiet = openFiles.quietAt(name);
    return quiet.find(hashes.of(name)).map(held -> ownerOf(quiet, held));
  }

  private static long ownerOf(QuietDescriptors quiet, QuietDescriptors.Held held) {
    try {
      return quiet.calls().fstat(held.fd()).ownerId();
    } catch (ErrnoException e) {
      return OpenFiles.NOBODY; // Whoever looks at it finds out what is wrong.
    }
  }

  /**
   * Passes the names of files that left without a descriptor to the action, also those that are
   * outdated; {@link #isClosedAt} tells which.
   *
   * @param goesOn whether more are wanted
   */
  void forEachClosed(NameTable.Action action, BooleanSupplier goesOn) throws IOException {
    if (closed == 0) {
      return;
    }
    unwritten.forEach((nameHash, named) -> action.accept(nameHash, named.identity()));
    table.forEach(
        (nameHash, file) -> {
          if (!unwritten.containsKey(nameHash)) {
            action.accept(nameHash, file);
          }
        },
        goesOn);
  }

  /** Returns whether the hash is of this name, and the name leads to no descriptor. */
  boolean isClosedAt(PosixPath name, long nameHash) {
    return hashes.of(name) == nameHash && openFiles.quietAt(name).find(nameHash).isEmpty();
  }

  /** Returns whether files without a name wait for room in memory. */
  boolean hasNameless() {
    return openFiles.quiet().stream().anyMatch(quiet -> quiet.firstNameless().isPresent());
  }

  /** Writes which names led to files without a descriptor; false if that fails. */
  boolean write(Map<Long, NameTable.Named> named) {
    try {
      writeOrFail(named);
      return true;
    } catch (IOException e) {
      reportHarmless(e);
      return false;
    }
  }

  private void writeOrFail(Map<Long, NameTable.Named> named) throws IOException {
    if (named.isEmpty() && unwritten.isEmpty()) {
      return;
    }
    if (!unwritten.isEmpty()) {
      table.add(unwritten); // First: of two files with one name, the later one counts.
      unwritten.clear();
    }
    if (!named.isEmpty()) {
      table.add(named);
    }
    problems.resolved(TABLE);
  }

  /** Closes descriptors, so that other files can be opened. */
  boolean closeSome(QuietDescriptors quiet) {
    Map<Long, NameTable.Named> named = new LinkedHashMap<>();
    List<QuietDescriptors.Held> closing = quiet.some(CLOSED_AT_ONCE);
    try {
      OpenFileSystem fileSystem = OpenFileSystem.unknown();
      for (QuietDescriptors.Held held : closing) {
        FileStatus status = quiet.calls().fstat(held.fd());
        fileSystem = fileSystem.at(status.device());
        FileIdentity identity = fileSystem.identify(quiet.calls(), held.fd(), status);
        named.put(held.nameHash(), new NameTable.Named(identity, held.arrivalNanos()));
      }
      writeOrFail(named);
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

  /** Closes the descriptor of a file that left memory. */
  void close(QuietDescriptors quiet, int fd) {
    openFiles.closedQuiet(quiet);
    try {
      quiet.calls().close(fd);
    } catch (ErrnoException e) {
      reportHarmless(e); // Linux frees it all the same.
    }
  }

  /** Reports that files could not leave, or that it is not known what left. */
  void reportHarmless(IOException e) {
    problems.reportHarmless(
        TABLE, e, "nothing is lost; files need more memory until that is mended");
  }
}
