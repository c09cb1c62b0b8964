package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.checkpoint.Arrivals;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Comparisons;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
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
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

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
  private final OpenFiles openFiles;
  private final FileCloser closer;
  private final WatchGaps gaps;
  private final Losses losses;
  private final FileLooks looks;
  private final SuspectedFiles suspected;
  private final Comparisons comparisons;
  private final Arrivals arrivals;
  private final EarlyOpens early;

  /** What was opened early and has a name that the watch does not know. */
  private List<EarlyOpens.Found> unseen = new ArrayList<>();

  private final Set<WatchedFile> nameless = new LinkedHashSet<>();
  private final Set<WatchedFile> renamed = new LinkedHashSet<>();

  /** Whether files may be opened now of which no events were told yet. */
  private BooleanSupplier isBehind = () -> false;

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
    this.comparisons = context.comparisons();
    this.arrivals = context.arrivals();
    this.openFiles = new OpenFiles(settings.maxDescriptors(), context.roots());
    this.closer = new FileCloser(keepers, openFiles, problems);
    this.opener =
        new PathOpener(
            context,
            openFiles,
            closer,
            new PathOpener.Listener() {
              @Override
              public void opened(PosixPath path, TailOpener.Opened opened) throws IOException {
                early.openedByWatch(
                    path,
                    opened,
                    registry.find(opened.identity()).isEmpty() && isBehind.getAsBoolean());
                bind(path, fileOf(path, opened));
              }

              @Override
              public void openedEarly(PosixPath path, TailOpener.Opened opened)
                  throws IOException {
                bind(path, earlyFileOf(path, opened));
              }

              @Override
              public void refused(PosixPath path) {
                // The link has replaced the file that was shipped under this name until now.
                registry.unbind(path).ifPresent(file -> unname(file, path));
              }
            });
    this.gaps = new WatchGaps(problems);
    this.losses = new Losses(problems);
    this.early = new EarlyOpens(context, openFiles);
    this.looks = new FileLooks(keepers, problems, losses, renamed::add);
  }

  Losses losses() {
    return losses;
  }

  /** Returns what opens files before the watch has looked, on a thread of its own. */
  EarlyOpens early() {
    return early;
  }

  /** Returns how many files are left out as {@link ForeignLinks}. */
  long foreignLinks() {
    return opener.foreignLinks();
  }

  /**
   * A look of the watch.
   *
   * @param known the names that the watch knows after it
   * @param wasBehind whether events of it were not told early yet
   * @param isBehind whether there are such events now, of it or later ones
   * @param isLast whether it must be decided now what is missed
   */
  record Look(
      Predicate<PosixPath> known, boolean wasBehind, BooleanSupplier isBehind, boolean isLast) {}

  /**
   * Applies the changes of a look, after what was opened early until then. One that fails for an
   * unforeseen reason does not keep the others from being applied, and its file is looked at again;
   * the first such failure is thrown in the end.
   */
  void apply(List<WatchChange> changes, Look look) {
    Predicate<PosixPath> known = look.known();
    isBehind = look.isBehind();
    early.beginLook(look.wasBehind());
    List<Throwable> failures = new ArrayList<>();
    int count = 0;
    Set<PosixPath> names = adoptEarly(known, failures);
    for (WatchChange change : changes) {
      if (++count % SETTLED_AT_ONCE == 0) {
        keepers.forEach(TailKeeper::settleNewTails);
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
    names.forEach(path -> settleName(path, known));
    opener.endBatch();
    arrivals.note();
    early.endLook(look.isLast()).forEach(this::missed);
    early.pause(nameless.size() >= settings.maxNameless());
    if (settings.tellsNamesAtOnce()) {
      tellNames();
    }
    keepers.forEach(TailKeeper::settleNewTails);
    rethrowFirst(failures);
  }

  /**
   * Takes up what was opened early. Which file a name leads to is for a later look to say; but
   * files that are still at their names, although the watch does not know those, are none of the
   * agent's: it has left them out. They are given up after a second look.
   *
   * @return the names that must be looked at
   */
  private Set<PosixPath> adoptEarly(Predicate<PosixPath> known, List<Throwable> failures) {
    List<EarlyOpens.Found> seenBefore = unseen;
    unseen = new ArrayList<>();
    List<EarlyOpens.Found> all = new ArrayList<>(seenBefore);
    all.addAll(early.take());
    Set<PosixPath> names = new LinkedHashSet<>();
    for (int i = 0; i < all.size(); i++) {
      EarlyOpens.Found found = all.get(i);
      try {
        if (known.test(found.path()) || !opener.leadsTo(found.path(), found.identity())) {
          adopt(found);
          names.add(found.path());
        } else if (i < seenBefore.size()) {
          early.drop(found);
        } else {
          unseen.add(found);
        }
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }
    return names;
  }

  private void adopt(EarlyOpens.Found found) {
    if (found.opened().isPresent()) {
      opener.adopt(found);
    } else {
      registry.find(found.identity()).ifPresent(file -> bindName(found.path(), file));
    }
  }

  /** Finds out what is at a name now at which a file was opened early. */
  private void settleName(PosixPath path, Predicate<PosixPath> known) {
    if (!known.test(path)) {
      forget(path); // If something is there, the watch reports it at its next look.
    } else if (!opener.wasNeverOpened(path)) {
      opener.open(path);
      opener.notVanished(path); // Its file is open, or is counted by its events.
    }
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
      case WatchChange.Missed missed -> early.missedByWatch(missed.path(), missed.written());
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
    Optional<WatchedFile> file = registry.find(path);
    if (file.isPresent() && file.get().isOpen()) {
      looks.refresh(file.get());
      keepers.forEach(keeper -> keeper.modified(file.get()));
    } else {
      opener.open(path);
    }
  }

  private void bindName(PosixPath path, WatchedFile file) {
    registry.bind(path, file).ifPresent(before -> unname(before, path));
    file.addName(path);
    registry.named(file);
    nameless.remove(file);
  }

  private void bind(PosixPath path, WatchedFile file) throws IOException {
    bindName(path, file);
    for (TailKeeper keeper : keepers) {
      keeper.attend(file, firstScan);
    }
    looks.noteChanges(file);
  }

  private WatchedFile fileOf(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    Optional<WatchedFile> existing = registry.find(opened.identity());
    if (existing.isPresent() && existing.get().isOpen()) {
      renamed.add(existing.get());
      opened.descriptor().close();
      return existing.get();
    }
    WatchedFile file = newlyOpen(path, opened, existing);
    openFiles.opened(path, file);
    return file;
  }

  private WatchedFile earlyFileOf(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    Optional<WatchedFile> existing = registry.find(opened.identity());
    if (existing.isPresent() && existing.get().isOpen()) {
      renamed.add(existing.get());
      openFiles.giveEarly(path);
      opened.descriptor().close();
      return existing.get();
    }
    WatchedFile file = newlyOpen(path, opened, existing);
    openFiles.openedEarly(path, file);
    return file;
  }

  private WatchedFile newlyOpen(
      PosixPath path, TailOpener.Opened opened, Optional<WatchedFile> existing) {
    if (existing.isPresent()) {
      existing.get().adopt(opened.descriptor());
      renamed.add(existing.get());
      return existing.get();
    }
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
    boolean known = registry.find(from).isPresent();
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
    problems.resolved(path.toString());
    keepers.forEach(keeper -> keeper.resolved(path.toString()));
    registry.unbind(path).ifPresent(file -> unname(file, path));
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
    if (!unseen.isEmpty()
        || !nameless.isEmpty()
        || !renamed.isEmpty()
        || !suspected.isEmpty()
        || early.isUndecided()
        || opener.hasAwaited()) {
      return OptionalInt.of(SWEEP_MILLIS);
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
      registry.remove(file);
      closer.close(file);
    }
  }

  /** Gives up what was opened early and not taken up. */
  void close() {
    early.close();
    unseen.forEach(early::drop);
    unseen = List.of();
  }

  /** Looks at every file that was not looked at after that, whether or not it has changed. */
  void refreshAll(long nanos) {
    registry.all().forEach(file -> looks.refreshUnlessSeen(file, nanos));
  }
}
