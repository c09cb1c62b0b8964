package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.Arrivals;
import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.life.Lives;
import dev.tailwater.delivery.open.EarlyAdoption;
import dev.tailwater.delivery.open.EarlyOpens;
import dev.tailwater.delivery.open.PathOpener;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.room.RecentOwners;
import dev.tailwater.delivery.room.RoomShortage;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.watch.Backlog;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Applies changes of names to the watched files, and tells the keepers of all destinations. Used by
 * the watch thread; reading and delivering are handed to other threads through queues.
 */
final class Observer {
  /** How often files without a name are looked at, and new names are recorded. */
  private static final int SWEEP_MILLIS = 250;

  /** After this many changes, sealing begins with what was found: later ones take their time. */
  private static final int SETTLED_AT_ONCE = 4096;

  /** How often opening is tried again for files that could not be opened. */
  private static final int REOPEN_MILLIS = 5_000;

  private final ObserverSettings settings;
  private final PathOpener opener;
  private final RoomShortage shortage;
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final Problems problems;
  private final FileCloser closer;
  private final FilesInMemory memory;
  private final WatchGaps gaps;
  private final Losses losses;
  private final FileLooks looks;
  private final SuspectedFiles suspected;
  private final Arrivals arrivals;
  private final NamedFiles files;
  private final EarlyOpens early;
  private final EarlyAdoption adoption;
  private final WritesElsewhere writesElsewhere;

  private final FoundFiles found;

  private long reopenedAtMillis;

  /**
   * Creates an observer.
   *
   * @param suspected where every thread that looks at files puts those that must be looked at again
   */
  Observer(ObserverContext context, SuspectedFiles suspected) {
    this.settings = context.settings();
    this.registry = context.registry();
    this.keepers = context.keepers();
    this.problems = context.problems();
    this.suspected = suspected;
    this.arrivals = context.arrivals();
    OpenFiles openFiles =
        new OpenFiles(
            context.opener().calls(),
            settings.maxDescriptors(),
            settings.mostInMemory(),
            context.roots(),
            new RecentOwners(
                path -> ownerOf(context.opener(), path), settings.clocks().nanoClock()));
    this.closer = new FileCloser(context.quietTails(), openFiles, problems);
    this.memory = new FilesInMemory(context, openFiles, closer, suspected, this::isBusy);
    this.gaps = new WatchGaps(problems);
    this.losses = new Losses(problems);
    this.files = new NamedFiles(context, openFiles, memory, losses);
    this.looks = files.looks();
    this.early =
        new EarlyOpens(
            context.opener(),
            openFiles,
            name -> registry.find(name).map(WatchedFile::identity),
            problems);
    this.shortage =
        new RoomShortage(
            problems,
            settings.maxDescriptors(),
            settings.mostInMemory(),
            settings.isBoundByDescriptors(),
            settings.clocks().nanoClock());
    this.found = new FoundFiles(context, memory, files, early, this::unbind, this::forget);
    this.opener =
        new PathOpener(context.opener(), openFiles, memory.closing(), shortage, found, problems);
    this.adoption = new EarlyAdoption(early, opener, found);
    this.writesElsewhere = new WritesElsewhere(settings.clocks().nanoClock());
  }

  private static OptionalLong ownerOf(TailOpener opener, PosixPath path) {
    try {
      return opener.ownerOf(path);
    } catch (ErrnoException e) {
      return OptionalLong.empty(); // The watch reports what is wrong.
    }
  }

  Losses losses() {
    return losses;
  }

  /** Returns the time of the last arrival at a path; it may be ahead of the clock. */
  long lastArrivalMillis() {
    return arrivals.lastMillis();
  }

  /** Returns what opens files before the watch has looked, on a thread of its own. */
  EarlyOpens early() {
    return early;
  }

  /** Returns how many files are left out as foreign hard links. */
  long foreignLinks() {
    return opener.foreignLinks();
  }

  /**
   * A look of the watch.
   *
   * @param known the names that the watch knows after it
   * @param complete whether no scan is under way that may find more names
   * @param wasBehind whether events of it were not told early yet
   * @param isBehind whether there are such events now, of it or later ones
   * @param isLast whether it must be decided now what is missed
   */
  record Look(
      Predicate<PosixPath> known,
      boolean complete,
      boolean wasBehind,
      BooleanSupplier isBehind,
      boolean isLast) {}

  /**
   * Applies the changes of a look, after what was opened early until then. One that fails for an
   * unforeseen reason does not keep the others from being applied, and its file is looked at again;
   * the first such failure is thrown in the end.
   */
  void apply(List<WatchChange> changes, Look look) {
    Predicate<PosixPath> known = look.known();
    found.beginLook(look.isBehind());
    early.beginLook(look.wasBehind());
    List<Throwable> failures = new ArrayList<>();
    int count = 0;
    Set<PosixPath> names = adoption.adopt(known, look.complete(), failures);
    for (WatchChange change : changes) {
      if (++count % SETTLED_AT_ONCE == 0) {
        keepers.forEach(TailKeeper::settleNewTails);
        memory.letLeave();
      }
      try {
        apply(change);
        if (change instanceof WatchChange.Appeared || change instanceof WatchChange.Renamed) {
          names.remove(change.path()); // It was looked at just now.
        }
      } catch (RuntimeException | Error e) {
        failures.add(e);
        toLookAt(change).ifPresent(opener::retryLater);
      }
    }
    names.forEach(path -> adoption.settle(path, known));
    opener.endBatch();
    arrivals.note();
    early.endLook(look.isLast()).forEach(this::missed);
    early.pause(files.namelessCount() >= settings.maxNameless());
    if (settings.tellsNamesAtOnce()) {
      files.tellNames();
    }
    keepers.forEach(TailKeeper::settleNewTails);
    rethrowFirst(failures);
  }

  private static void rethrowFirst(List<Throwable> failures) {
    if (failures.isEmpty()) {
      return;
    }
    switch (failures.getFirst()) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new AssertionError("applying a change throws nothing checked", e);
    }
  }

  private static Optional<PosixPath> toLookAt(WatchChange change) {
    return switch (change) {
      case WatchChange.Appeared appeared -> Optional.of(appeared.path());
      case WatchChange.Modified modified -> Optional.of(modified.path());
      case WatchChange.Renamed moved -> Optional.of(moved.path());
      default -> Optional.empty();
    };
  }

  /** Tries again to open what could not be opened, or was closed before it was compared. */
  void retryUnopened() {
    opener.retryUnopened();
    closer.uncompared().forEach(opener::openBesideOthers);
    opener.endBatch();
  }

  private void apply(WatchChange change) {
    switch (change) {
      case WatchChange.Appeared appeared -> opener.open(appeared.path());
      case WatchChange.Modified modified -> modified(modified.path());
      case WatchChange.Renamed moved -> renamed(moved.from(), moved.path());
      case WatchChange.Disappeared gone -> disappeared(gone.path());
      case WatchChange.WrittenElsewhere written -> writesElsewhere.add(written.path());
      case WatchChange.Missed missed -> early.missedByWatch(missed.path(), missed.written());
      case WatchChange.Unobservable unseen -> gaps.unobservable(unseen);
      case WatchChange.Observable seen -> {
        gaps.observable(seen);
        resolveShortage();
      }
      case WatchChange.Overfull full -> gaps.overfull(full);
      case WatchChange.NotOverfull all -> gaps.notOverfull(all);
      case WatchChange.Degraded slow -> gaps.degraded(slow);
    }
  }

  private void resolveShortage() {
    if (opener.hasAwaited()) {
      return;
    }
    if (!opener.hasUnopened() && !gaps.lacksDescriptors()) {
      shortage.hasDescriptors();
    }
    if (!memory.hasNameless()) {
      shortage.hasMemory();
    }
  }

  private void modified(PosixPath path) {
    if (memory.isKeptOut(path)) {
      opener.open(path); // Which may have to wait.
      return;
    }
    Optional<WatchedFile> file = find(path);
    if (file.isPresent() && file.get().isOpen()) {
      memory.active(file.get());
      looks.refresh(file.get());
      keepers.forEach(keeper -> keeper.modified(file.get()));
    } else {
      opener.open(path);
    }
  }

  /**
   * Applies a rename. Only a descriptor tells which file has moved, since the names may have moved
   * on since the watch looked; what is wrong by then is corrected by the changes that follow.
   */
  private void renamed(PosixPath from, PosixPath to) {
    boolean known = memory.isKeptOut(from) || find(from).isPresent();
    forget(from);
    opener.open(to);
    if (known) {
      opener.notVanished(to); // Its bytes are read through the descriptor, whatever its name is.
    }
  }

  private void disappeared(PosixPath path) {
    boolean neverOpened = opener.wasNeverOpened(path);
    forget(path);
    if (neverOpened) {
      early.missedByWatch(path, true);
    }
  }

  private void missed(Lives.Missed file) {
    PosixPath path = settings.names().archived(file.path());
    if (file.certain()) {
      losses.missed(path);
    } else {
      losses.perhapsMissed(path);
    }
  }

  private void forget(PosixPath path) {
    opener.forget(path);
    files.forgetLeftOut(path);
    problems.resolved(path);
    keepers.forEach(keeper -> keeper.resolved(path));
    unbind(path);
  }

  private void unbind(PosixPath path) {
    files.unbind(path, why -> opener.reportUnknown(path, why));
  }

  /** Returns the file that has this name, which is in memory then. */
  private Optional<WatchedFile> find(PosixPath path) {
    return files.find(path, why -> opener.reportUnknown(path, why));
  }

  private boolean isBusy(WatchedFile file) {
    return files.isBusy(file);
  }

  /** Returns a file, which is in memory then. */
  Optional<WatchedFile> recall(FileIdentity identity) throws IOException {
    memory.recall(identity);
    keepers.forEach(TailKeeper::settleNewTails);
    return registry.find(identity);
  }

  /**
   * Passes the streams of quiet files that are not in memory to the action, with the number of each
   * destination that has all of it.
   *
   * @param inTime whether there is time for more
   * @return whether all files could be looked at in time
   */
  boolean forEachQuietStream(ObjIntConsumer<StreamId> action, BooleanSupplier inTime) {
    return memory.forEachQuietStream(action, inTime);
  }

  /** Notes that the first scan is complete: known files that were not found have vanished. */
  void firstScanDone() {
    found.firstScanDone();
    keepers.forEach(keeper -> keeper.start().firstScanDone(this::isOutOfSight));
  }

  /** Notes that a destination may have been connected, perhaps after the first scan. */
  void destinationsChanged() {
    if (!found.isFirstScan()) {
      firstScanDone();
    }
  }

  private boolean isOutOfSight(PosixPath archived) {
    PosixPath path = settings.names().here(archived);
    return opener.isPending(path) || gaps.hides(path);
  }

  /** Returns how soon {@link #sweep} has something to do; empty when it has nothing. */
  OptionalInt sweepAfterMillis() {
    if (adoption.isUndecided()
        || files.namelessCount() > 0
        || memory.hasNameless()
        || files.hasToTell()
        || !suspected.isEmpty()
        || early.isUndecided()
        || opener.hasAwaited()) {
      return OptionalInt.of(SWEEP_MILLIS);
    }
    OptionalInt leaving = memory.letLeaveAfterMillis();
    OptionalInt other =
        leaving.isEmpty() && (opener.hasToRetry() || closer.hasUncompared())
            ? OptionalInt.of(REOPEN_MILLIS)
            : leaving;
    return IntStream.concat(writesElsewhere.afterMillis().stream(), other.stream()).min();
  }

  /** Returns which files below a source wait to be opened. */
  Backlog backlog() {
    return memory.backlog();
  }

  /** Returns how many files of each owner wait to be opened. */
  Map<Long, Long> waitingByOwner() {
    return memory.waitingByOwner();
  }

  /** Returns how many files wait to be opened, or to come back to memory. */
  long waitingFiles() {
    return memory.waitingFiles();
  }

  /** Returns how many files and directories could not be opened, beside those that wait. */
  long unopenedFiles() {
    return opener.unopenedFiles() + gaps.unobservableWithout(opener::isUnopened);
  }

  /** Looks after everything for which the watch reports no change. */
  void sweep(boolean hurry, boolean endNameless) {
    long nowMillis = settings.clocks().millis();
    if (hurry || nowMillis - reopenedAtMillis >= REOPEN_MILLIS) {
      reopenedAtMillis = nowMillis;
      retryUnopened();
    }
    if (!hurry) {
      memory.letLeave(); // In a drain, only files that wait for memory make others leave.
    }
    opener.openAwaited();
    opener.endBatch();
    lookAgainAtSuspected();
    writesElsewhere.lookIfDue(files.nameless(), this::lookAtAllInMemory);
    files.recallNameless();
    if (memory.hasNameless()) {
      shortage.lacksMemory();
    }
    shortage.reportLasting();
    files.tellNames();
    for (WatchedFile file : files.nameless()) {
      looks.refresh(file);
      endIfDone(file, endNameless);
    }
    keepers.forEach(TailKeeper::settleNewTails);
    keepers.forEach(TailKeeper::releaseEnded);
    resolveShortage();
  }

  private void lookAgainAtSuspected() {
    for (WatchedFile file : suspected.takeAll()) {
      if (file.isOpen()) {
        looks.refresh(file); // Puts it back, if this look cannot tell either.
      }
    }
  }

  /** Ends the tails that are done with the file; a file without tails is closed. */
  private void endIfDone(WatchedFile file, boolean endNameless) {
    List<Tail> tails = List.copyOf(file.tails());
    for (TailKeeper keeper : keepers) {
      try {
        keeper.endIfDone(file, endNameless);
      } catch (ErrnoException e) {
        problems.report(file.name().toString(), e, "the file stays open and is tried again");
      }
    }
    looks.noteChanges(file, tails);
    if (file.tails().isEmpty()) {
      files.remove(file);
    }
  }

  /** Closes the files that left memory, after the last look. */
  void closeQuietFiles() throws IOException {
    memory.closeQuiet();
  }

  /** Gives up what was opened early and not taken up. */
  void close() {
    arrivals.close();
    early.close();
    adoption.close();
    opener.endBatch();
  }

  private void lookAtAllInMemory() {
    long nanos = settings.clocks().nanos();
    registry.all().forEach(file -> looks.refreshUnlessSeen(file, nanos));
  }

  /** Looks at every file that was not looked at after that, whether or not it has changed. */
  void refreshAll(long nanos) {
    memory.lookAtQuiet(opener::open);
    opener.endBatch();
    keepers.forEach(TailKeeper::settleNewTails);
    registry.all().forEach(file -> looks.refreshUnlessSeen(file, nanos));
  }
}
