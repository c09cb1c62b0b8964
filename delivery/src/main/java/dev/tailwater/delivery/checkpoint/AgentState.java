package dev.tailwater.delivery.checkpoint;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.log.DamagedLog;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What an agent knows from its earlier runs: small notes in a transaction log, which takes the lock
 * of the state directory, and the table of files in data files below it. Losing it costs only a
 * listing of the destination, so a damaged one is set aside and does not keep the agent from
 * starting.
 */
public final class AgentState implements AutoCloseable {
  /** The directory of the table of files, in the state directory. */
  static final PosixPath FILES = PosixPath.of("files");

  /** The directory of the {@linkplain NameTable names} of a run, in the state directory. */
  private static final PosixPath NAMES = PosixPath.of("names");

  private static final String SET_ASIDE_PREFIX = "state.damaged-";

  /** An agent with few files needs few megabytes of disk; one with many has longer data files. */
  private static final long DATA_FILE_BYTES = 4 << 20;

  private static final int MOST_DATA_FILES = 48;

  private final KeyValueStore notes;
  private final TableStore files;
  private final NameTable names;
  private final StatePlace place;

  /** What the table had when it was opened, if that is known. */
  private final Optional<TableCheck.Found> found;

  /** The damaged state that this one replaces. */
  private final Optional<DamagedLog.Aside> setAside;

  private AgentState(
      KeyValueStore notes,
      TableStore files,
      NameTable names,
      StatePlace place,
      Optional<TableCheck.Found> found,
      Optional<DamagedLog.Aside> setAside) {
    this.notes = notes;
    this.files = files;
    this.names = names;
    this.place = place;
    this.found = found;
    this.setAside = setAside;
  }

  /**
   * Opens the state in this directory, or creates it.
   *
   * @throws dev.tailwater.store.StoreLockedException when another agent uses it
   * @throws IOException when it cannot be read or written, for another reason than damage
   */
  public static AgentState open(FileCalls calls, PosixPath directory, Instant now)
      throws IOException {
    try {
      return open(calls, directory, Optional.empty());
    } catch (DamagedStoreException damaged) {
      Optional<DamagedLog.Aside> aside =
          DamagedLog.setAside(calls, directory, SET_ASIDE_PREFIX, now, Set.of(FILES));
      if (aside.isEmpty()) {
        aside =
            Optional.of(
                DamagedLog.setAsideBecause(
                    damaged, calls, directory, SET_ASIDE_PREFIX, now, Set.of(FILES)));
      }
      return open(calls, directory, aside);
    }
  }

  private static AgentState open(
      FileCalls calls, PosixPath directory, Optional<DamagedLog.Aside> aside) throws IOException {
    TransactionLogStore notes = TransactionLogStore.open(calls, directory, StoreOptions.defaults());
    Optional<TableStore> files = Optional.empty();
    boolean sound = false;
    try {
      if (!notes.wasClosed()) {
        // The end of the log may be missing, and with it the note that another run has begun.
        CheckpointStore.forgetCleanEnds(notes);
      }
      PosixPath there = directory.resolve(FILES);
      StatePlace place = new StatePlace(calls, directory, notes);
      WriteProbe probe = new WriteProbe(calls, directory);
      TableStore table = TableStore.open(new TableOpening(calls, there, place, probe));
      files = Optional.of(table);
      TableCheck.Found found = table.read(TableCheck::run);
      boolean tookOver = StateTakeOver.run(notes, table, there);
      NameTable names =
          NameTable.anew(calls, new TableOpening(calls, directory.resolve(NAMES), place, probe));
      sound = true;
      return new AgentState(
          notes, table, names, place, tookOver ? Optional.empty() : Optional.of(found), aside);
    } finally {
      if (!sound) {
        try {
          if (files.isPresent()) {
            files.get().close();
          }
        } finally {
          notes.close();
        }
      }
    }
  }

  /** Opens a store of data files. */
  record TableOpening(FileCalls calls, PosixPath directory, StatePlace place, WriteProbe probe)
      implements TableStore.Opening {
    @Override
    public KeyValueStore open() throws IOException {
      place.require();
      return DataFileStore.open(calls, directory, options());
    }

    @Override
    public void check() throws IOException {
      place.require();
      probe.run();
    }
  }

  private static DataFileOptions options() {
    return DataFileOptions.defaults()
        .withFileBytes(DATA_FILE_BYTES)
        .withMaxOpenFiles(MOST_DATA_FILES)
        .withReads(new ReadOptions(false, false, 0));
  }

  /** Returns the damaged state that this one replaces, if any. */
  public Optional<DamagedLog.Aside> setAside() {
    return setAside;
  }

  /**
   * What somebody has removed of the state, or replaced.
   *
   * @param message what has happened, in words
   * @param onlyLock whether only the lock is gone, so that all that is saved is kept
   */
  public record Removal(String message, boolean onlyLock) {}

  /** Returns whether the path of the state leads to the directory that was opened, and its lock. */
  public boolean isInPlace() throws ErrnoException {
    return place.isInPlace();
  }

  /** Returns what somebody has removed of the state, or replaced, while it is open. */
  public Optional<Removal> removed() throws ErrnoException {
    Optional<Removal> ofNotes = place.removed();
    if (ofNotes.filter(removal -> !removal.onlyLock()).isPresent()) {
      return ofNotes;
    }
    Optional<PosixPath> ofTable = files.removed();
    return ofTable.isPresent()
        ? Optional.of(StatePlace.removalOf(ofTable.get(), "the table of files, "))
        : ofNotes;
  }

  /** Returns the notes about all destinations. */
  public KeyValueStore notes() {
    return notes;
  }

  /** Returns the names of files that are not in memory. */
  public NameTable names() {
    return names;
  }

  /** Returns the view of one destination. */
  public CheckpointStore of(String destinationUri) {
    return new CheckpointStore(notes, files, destinationUri, found);
  }

  /** Closes all stores; the notes last, since their log says whether all was closed. */
  @Override
  public void close() throws IOException {
    try {
      names.close();
    } finally {
      try {
        files.close();
      } finally {
        notes.close();
      }
    }
  }

  /** Reports that a damaged state was set aside, if it was. */
  public void report(Problems problems) {
    setAside.ifPresent(
        aside ->
            problems.reportHarmless(
                aside.directory().toString(),
                "the state was damaged: "
                    + aside.damage().getMessage()
                    + "; it was set aside as "
                    + aside.directory()
                    + ", and the destination is asked what it holds, as after a lost state",
                Optional.of(
                    "nothing is lost; look for disk errors in the kernel's log, and delete the"
                        + " directory when you do not need it any more"),
                true));
  }
}
