package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

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
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final Problems problems;
  private final NamedFiles files;
  private final WatchGaps gaps;
  private final Losses losses;
  private final FileLooks looks;
  private final SuspectedFiles suspected;
  private final Set<WatchedFile> nameless = new LinkedHashSet<>();
  private final Set<WatchedFile> renamed = new LinkedHashSet<>();

  private long reopenedAtMillis;
  private boolean firstScan = true;

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
    this.files = new NamedFiles(context, suspected, this::isBusy);
    this.opener =
        new PathOpener(
            context,
            files.open(),
            files.closing(),
            new PathOpener.Listener() {
              @Override
              public void opened(PosixPath path, TailOpener.Opened opened) throws IOException {
                bind(path, opened);
              }

              @Override
              public void refused(PosixPath path) {
                // The link has replaced the file that was shipped under this name until now.
                unbind(path);
              }
            });
    this.gaps = new WatchGaps(problems);
    this.losses = new Losses(problems);
    this.looks = new FileLooks(keepers, problems, losses, renamed::add);
  }

  /** Closes the files that left memory, after the last look. */
  void closeQuietFiles() throws IOException {
    files.closeQuiet();
  }

  Losses losses() {
    return losses;
  }

  /** Returns how many files are left out as {@link ForeignLinks}. */
  long foreignLinks() {
    return opener.foreignLinks();
  }

  /**
   * Applies changes. One that fails for an unforeseen reason does not keep the others from being
   * applied, and its file is looked at again; the first such failure is thrown in the end.
   */
  void apply(List<WatchChange> changes) {
    List<Throwable> failures = new ArrayList<>();
    int count = 0;
    for (WatchChange change : changes) {
      if (++count % SETTLED_AT_ONCE == 0) {
        keepers.forEach(TailKeeper::settleNewTails);
        files.letLeave();
      }
      try {
        apply(change);
      } catch (RuntimeException | Error e) {
        failures.add(e);
        toLookAt(change).ifPresent(opener::retryLater);
      }
    }
    opener.endBatch();
    if (settings.tellsNamesAtOnce()) {
      tellNames();
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

  /** Tries again to open what could not be opened. */
  void retryUnopened() {
    opener.retryUnopened();
    opener.endBatch();
  }

  private void apply(WatchChange change) {
    switch (change) {
      case WatchChange.Appeared appeared -> opener.open(appeared.path());
      case WatchChange.Modified modified -> modified(modified.path());
      case WatchChange.Renamed moved -> renamed(moved.from(), moved.path());
      case WatchChange.Disappeared gone -> disappeared(gone.path());
      case WatchChange.Missed missed -> missed(missed.path());
      case WatchChange.Unobservable unseen -> gaps.unobservable(unseen);
      case WatchChange.Observable seen -> {
        gaps.observable(seen);
        resolveDescriptors();
      }
      case WatchChange.Overfull full -> gaps.overfull(full);
      case WatchChange.NotOverfull all -> gaps.notOverfull(all);
      case WatchChange.Degraded slow -> gaps.degraded(slow);
    }
  }

  private void resolveDescriptors() {
    if (!opener.hasUnopened() && !gaps.lacksDescriptors() && !opener.hasAwaited()) {
      problems.resolved(DescriptorShortage.SUBJECT);
    }
  }

  private void modified(PosixPath path) {
    Optional<WatchedFile> file = find(path);
    if (file.isPresent() && file.get().isOpen()) {
      files.active(file.get());
      looks.refresh(file.get());
      keepers.forEach(keeper -> keeper.modified(file.get()));
    } else {
      opener.open(path);
    }
  }

  private void bind(PosixPath path, TailOpener.Opened opened) throws IOException {
    files.recallBefore(path, opened);
    registry.find(opened.identity()).ifPresent(renamed::add);
    WatchedFile file = files.opened(path, opened);
    registry.bind(path, file).ifPresent(before -> unname(before, path));
    file.addName(path);
    registry.named(file);
    nameless.remove(file);
    for (TailKeeper keeper : keepers) {
      keeper.attend(file, firstScan);
    }
    looks.noteChanges(file);
  }

  /** Returns the file that has this name, which is in memory then. */
  private Optional<WatchedFile> find(PosixPath path) {
    return files.find(path, () -> opener.retryLater(path));
  }

  /** Brings a file back to memory, if it left. */
  void recall(FileIdentity identity) throws IOException {
    files.recall(identity);
    keepers.forEach(TailKeeper::settleNewTails);
  }

  /** Returns streams of quiet files that are not in memory; a destination has all of them. */
  List<StreamId> quietStreams(int lane, int most) {
    return files.quietStreams(keepers.get(lane), most);
  }

  private void unbind(PosixPath path) {
    if (find(path).isPresent()) {
      registry.unbind(path).ifPresent(file -> unname(file, path));
    }
  }

  /** Returns whether the watch has to look at the file again by itself. */
  private boolean isBusy(WatchedFile file) {
    return nameless.contains(file) || renamed.contains(file) || opener.isPending(file.name());
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

  /**
   * Applies a rename. Only a descriptor tells which file has moved, since the names may have moved
   * on since the watch looked; what is wrong by then is corrected by the changes that follow.
   */
  private void renamed(PosixPath from, PosixPath to) {
    boolean known = find(from).isPresent();
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
      missed(path);
    }
  }

  private void missed(PosixPath path) {
    losses.missed(settings.names().archived(path));
  }

  private void forget(PosixPath path) {
    opener.forget(path);
    problems.resolved(path.toString());
    keepers.forEach(keeper -> keeper.resolved(path.toString()));
    unbind(path);
  }

  /** Notes that the first scan is complete: known files that were not found have vanished. */
  void firstScanDone() {
    firstScan = false;
    keepers.forEach(keeper -> keeper.firstScanDone(this::isOutOfSight));
  }

  /** Notes that a destination may have been connected, perhaps after the first scan. */
  void destinationsChanged() {
    if (!firstScan) {
      firstScanDone();
    }
  }

  private boolean isOutOfSight(PosixPath path) {
    return opener.isPending(path) || gaps.hides(path);
  }

  /** Returns how soon {@link #sweep} has something to do; empty when it has nothing. */
  OptionalInt sweepAfterMillis() {
    if (!nameless.isEmpty() || !renamed.isEmpty() || !suspected.isEmpty() || opener.hasAwaited()) {
      return OptionalInt.of(SWEEP_MILLIS);
    }
    OptionalInt leaving = files.letLeaveAfterMillis();
    if (leaving.isPresent()) {
      return leaving;
    }
    return opener.hasToRetry() ? OptionalInt.of(REOPEN_MILLIS) : OptionalInt.empty();
  }

  /** Looks after everything for which the watch reports no change. */
  void sweep(boolean hurry, boolean endNameless) {
    long nowMillis = settings.clocks().millis();
    if (hurry || nowMillis - reopenedAtMillis >= REOPEN_MILLIS) {
      reopenedAtMillis = nowMillis;
      retryUnopened();
    }
    if (!hurry) {
      files.letLeave(); // In a drain, only files that wait for memory make others leave.
    }
    opener.openAwaited();
    opener.endBatch();
    lookAgainAtSuspected();
    tellNames();
    for (WatchedFile file : List.copyOf(nameless)) {
      looks.refresh(file);
      endIfDone(file, endNameless);
    }
    keepers.forEach(TailKeeper::settleNewTails);
    keepers.forEach(TailKeeper::releaseEnded);
    resolveDescriptors();
  }

  /** Has new names recorded. */
  private void tellNames() {
    for (WatchedFile file : List.copyOf(renamed)) {
      renamed.remove(file);
      looks.refresh(file);
      keepers.forEach(keeper -> keeper.renamed(file));
    }
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
    for (TailKeeper keeper : keepers) {
      try {
        keeper.endIfDone(file, endNameless);
      } catch (ErrnoException e) {
        problems.report(file.name().toString(), e, "the file stays open and is tried again");
      }
    }
    if (file.tails().isEmpty()) {
      nameless.remove(file);
      files.close(file);
    }
  }

  /** Looks at every file that was not looked at after that, whether or not it has changed. */
  void refreshAll(long nanos) {
    files.lookAtQuiet();
    keepers.forEach(TailKeeper::settleNewTails);
    registry.all().forEach(file -> looks.refreshUnlessSeen(file, nanos));
  }
}
