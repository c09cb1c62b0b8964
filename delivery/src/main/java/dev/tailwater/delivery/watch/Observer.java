package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Turns changes of names into files with work to do, and tells the keepers of all destinations. All
 * of it happens on the watch thread, but for reading and delivering, which the queues hand to
 * others.
 */
final class Observer {
  private static final String FOREIGN_LINKS = "hard links";
  private static final String DESCRIPTORS = WatchLoop.DESCRIPTORS;
  private static final String DESCRIPTORS_HINT =
      "raise the limit of open files (LimitNOFILE=, ulimit -n)";

  /** How often files without a name are looked at, and new names are told. */
  private static final int SWEEP_MILLIS = 250;

  /** How often files that could not be opened are tried again. */
  private static final int REOPEN_MILLIS = 5_000;

  private final ObserverSettings settings;
  private final TailOpener opener;
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final Problems problems;

  private final OpenFiles openFiles;
  private final LinkedHashMap<PosixPath, FileIdentity> foreignLinks = new LinkedHashMap<>();
  private volatile long foreignLinkCount;
  private final Set<PosixPath> unopened = new LinkedHashSet<>();
  private final Set<PosixPath> unobservable = new HashSet<>();

  /** Of them, those for which there was no descriptor. */
  private final Set<PosixPath> withoutDescriptor = new HashSet<>();

  private final Set<WatchedFile> nameless = new LinkedHashSet<>();
  private final Set<WatchedFile> renamed = new LinkedHashSet<>();

  /** Names of files that were gone when they were to be opened, until the watch says so, too. */
  private final Set<PosixPath> vanished = new HashSet<>();

  private final SuspectedFiles suspects;
  private final Losses losses;
  private long reopenedAtMillis;
  private boolean firstScan = true;

  /**
   * @param roots of the sources, which share the descriptors
   * @param keepers one for each destination
   * @param suspects of all threads that look at files
   */
  Observer(
      ObserverSettings settings,
      List<PosixPath> roots,
      TailOpener opener,
      FileRegistry registry,
      List<TailKeeper> keepers,
      SuspectedFiles suspects,
      Problems problems) {
    this.settings = settings;
    this.openFiles = new OpenFiles(settings.maxDescriptors(), roots);
    this.opener = opener;
    this.registry = registry;
    this.keepers = List.copyOf(keepers);
    this.suspects = suspects;
    this.problems = problems;
    this.losses = new Losses(problems);
  }

  Losses losses() {
    return losses;
  }

  /**
   * Takes changes in. One that fails for an unforeseen reason keeps no other from being taken in,
   * and its file is looked at again; the first such failure is thrown in the end.
   */
  void apply(List<WatchChange> changes) {
    List<Throwable> failures = new ArrayList<>();
    for (WatchChange change : changes) {
      try {
        apply(change);
      } catch (RuntimeException | Error e) {
        failures.add(e);
        toLookAt(change).ifPresent(unopened::add);
      }
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

  /** Opens what could not be opened until now. */
  void retryUnopened() {
    List.copyOf(unopened).forEach(this::open);
  }

  private void apply(WatchChange change) {
    switch (change) {
      case WatchChange.Appeared appeared -> open(appeared.path());
      case WatchChange.Modified modified -> modified(modified.path());
      case WatchChange.Renamed moved -> renamed(moved.from(), moved.path());
      case WatchChange.Disappeared gone -> disappeared(gone.path());
      case WatchChange.Missed missed -> missed(missed.path());
      case WatchChange.Unobservable unseen -> {
        unobservable.add(unseen.path());
        unobservable(unseen);
      }
      case WatchChange.Observable seen -> {
        unobservable.remove(seen.path());
        withoutDescriptor.remove(seen.path());
        problems.resolved(seen.path().toString());
        resolveDescriptors();
      }
      case WatchChange.Overfull full ->
          problems.report(
              namesBelow(full.path()),
              "there are more files below "
                  + full.path()
                  + " than the agent has memory for, and"
                  + " some are left out",
              Optional.of(
                  "narrow the source with include and exclude, or give the agent a larger heap:"
                      + " TAILWATER_JAVA_OPTS=-Xmx256m; the other sources go on"),
              false);
      case WatchChange.NotOverfull all -> problems.resolved(namesBelow(all.path()));
      case WatchChange.Degraded slow ->
          // Nothing is missed for it, so with it alone everything is delivered.
          problems.reportHarmless(
              slow.path().toString(),
              slow.why().getMessage()
                  + "; "
                  + slow.directories()
                  + (slow.directories() == 1 ? " directory is" : " directories are")
                  + " polled instead of notified",
              Optional.of(slow.hint()),
              false);
    }
  }

  private static String namesBelow(PosixPath root) {
    return "names below " + root;
  }

  private void unobservable(WatchChange.Unobservable unseen) {
    if (isShortage(unseen.why())) {
      withoutDescriptor.add(unseen.path());
      problems.report(DESCRIPTORS, unseen.why(), DESCRIPTORS_HINT);
    } else {
      withoutDescriptor.remove(unseen.path());
      problems.report(
          unseen.path().toString(),
          unseen.why(),
          unseen.why().errno() == Errno.ELOOP
              ? "make the link's target a source, and restart the agent; the other sources go on"
              : "let the agent's user read it; it is not taken for deleted");
    }
  }

  private static boolean isShortage(ErrnoException e) {
    return e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE;
  }

  private void resolveDescriptors() {
    if (unopened.isEmpty() && withoutDescriptor.isEmpty() && !openFiles.anyAwaited()) {
      problems.resolved(DESCRIPTORS);
    }
  }

  private void modified(PosixPath path) {
    Optional<WatchedFile> file = registry.find(path);
    if (file.isPresent() && file.get().isOpen()) {
      refresh(file.get());
      keepers.forEach(keeper -> keeper.modified(file.get()));
    } else {
      open(path);
    }
  }

  private void refresh(WatchedFile file) {
    for (TailKeeper keeper : keepers) {
      try {
        keeper.refresh(file);
      } catch (ErrnoException e) {
        problems.report(file.name().toString(), e, "the file stays at risk and is tried again");
      }
    }
    lookForChanges(file);
  }

  private void lookForChanges(WatchedFile file) {
    for (Tail tail : file.tails()) {
      if (keepers.get(tail.lane()).isRequired() && tail.takeNewsOfChange()) {
        noteChange(file, tail);
      }
    }
  }

  private void noteChange(WatchedFile file, Tail tail) {
    if (tail.isChangedInPlace()) {
      losses.changed(tail.stream().id(), file.archivedName());
    } else {
      losses.unchanged(tail.stream().id());
    }
    renamed.add(file); // The archive is to say so.
  }

  private void open(PosixPath path) {
    if (!tryOpen(path)) {
      openFiles.await(path);
      problems.report(
          DESCRIPTORS,
          "more files are at risk than may be open (" + settings.maxDescriptors() + ")",
          Optional.of(DESCRIPTORS_HINT),
          false);
    }
  }

  /** False when no more files may be open. */
  private boolean tryOpen(PosixPath path) {
    if (!openFiles.hasRoom(path) && !openFiles.makeRoom(path, this::closeIfQuiet)) {
      return false;
    }
    openFiles.forget(path);
    openNow(path);
    return true;
  }

  private void openNow(PosixPath path) {
    try {
      unopened.remove(path);
      vanished.remove(path);
      Optional<TailOpener.Opened> opened = opener.open(path);
      problems.resolved(path.toString());
      if (opened.isEmpty()) {
        vanished.add(path); // Or no regular file any more; the watch says so by itself.
        return;
      }
      // Once refused, always: the name that its owner knew may have gone meanwhile.
      if (opened.get().foreignLink() || opened.get().identity().equals(foreignLinks.get(path))) {
        refuse(path, opened.get());
      } else {
        forgetForeignLink(path);
        bind(path, opened.get());
      }
    } catch (ErrnoException e) {
      unopened.add(path);
      if (isShortage(e)) {
        problems.report(DESCRIPTORS, e, DESCRIPTORS_HINT);
        openFiles.makeRoom(path, this::closeIfQuiet);
      } else if (e.errno() != Errno.ELOOP) {
        // Of a link that has replaced a directory and stays, the watch tells.
        problems.report(
            path.toString(), e, "let the agent's user read the file; it stays at risk until then");
      }
    } catch (RuntimeException | Error e) {
      unopened.add(path); // Nobody else would look at it again.
      throw e;
    }
  }

  private void refuse(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    opened.descriptor().close();
    // What was shipped under this name until now has been replaced.
    registry.unbind(path).ifPresent(file -> unname(file, path));
    foreignLinks.put(path, opened.identity());
    foreignLinkCount = foreignLinks.size();
    problems.report(
        FOREIGN_LINKS,
        "hard links to files of other owners are left out: somebody else can have made them",
        Optional.of(
            "the first is "
                + foreignLinks.firstEntry().getKey()
                + "; foreign_hard_links: ship ships them"),
        false);
  }

  /** How many files are left out since somebody else may have linked them to where they are. */
  long foreignLinks() {
    return foreignLinkCount;
  }

  private void forgetForeignLink(PosixPath path) {
    if (foreignLinks.remove(path) != null) {
      foreignLinkCount = foreignLinks.size();
      if (foreignLinks.isEmpty()) {
        problems.resolved(FOREIGN_LINKS);
      }
    }
  }

  private void bind(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    WatchedFile file = fileOf(path, opened);
    registry.bind(path, file).ifPresent(before -> unname(before, path));
    file.addName(path);
    nameless.remove(file);
    for (TailKeeper keeper : keepers) {
      keeper.attend(file, firstScan);
    }
    lookForChanges(file);
  }

  private WatchedFile fileOf(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    Optional<WatchedFile> existing = registry.find(opened.identity());
    if (existing.isEmpty()) {
      WatchedFile file =
          new WatchedFile(opened.descriptor(), path, opened.identity(), settings.names(), suspects);
      registry.add(file);
      openFiles.opened(path, file);
      return file;
    }
    WatchedFile file = existing.get();
    renamed.add(file);
    if (file.isOpen()) {
      opened.descriptor().close();
    } else {
      file.adopt(opened.descriptor());
      openFiles.opened(path, file);
    }
    return file;
  }

  private void unname(WatchedFile file, PosixPath path) {
    file.removeName(path, settings.nanoClock().getAsLong());
    if (file.namelessSinceNanos().isPresent()) {
      nameless.add(file);
      refresh(file);
    } else {
      renamed.add(file);
    }
  }

  /**
   * Which file has moved, only a descriptor tells: between the watch's look and this one, the names
   * may have moved on. Whatever is wrong here by then, the changes that follow put right.
   */
  private void renamed(PosixPath from, PosixPath to) {
    boolean known = registry.find(from).isPresent();
    forget(from);
    open(to);
    if (known) {
      vanished.remove(to); // Its bytes are read through the descriptor, whatever its name is.
    }
  }

  private void disappeared(PosixPath path) {
    boolean neverOpened =
        vanished.contains(path) || unopened.contains(path) || openFiles.isAwaited(path);
    forget(path);
    if (neverOpened) {
      missed(path);
    }
  }

  private void missed(PosixPath path) {
    losses.missed(settings.names().archived(path));
  }

  private void forget(PosixPath path) {
    unopened.remove(path);
    vanished.remove(path);
    openFiles.forget(path);
    forgetForeignLink(path);
    problems.resolved(path.toString());
    keepers.forEach(keeper -> keeper.resolved(path.toString()));
    registry.unbind(path).ifPresent(file -> unname(file, path));
  }

  /** The first scan is complete: what was known and not found has vanished meanwhile. */
  void firstScanDone() {
    firstScan = false;
    keepers.forEach(keeper -> keeper.firstScanDone(this::isOutOfSight));
  }

  /** A destination may have been connected after the first scan. */
  void destinationsChanged() {
    if (!firstScan) {
      firstScanDone();
    }
  }

  private boolean isOutOfSight(PosixPath path) {
    return unopened.contains(path)
        || openFiles.isAwaited(path)
        || unobservable.stream().anyMatch(path::startsWith);
  }

  /** How soon {@link #sweep} has something to come back for; empty: not by itself. */
  OptionalInt sweepAfterMillis() {
    if (!nameless.isEmpty()
        || !renamed.isEmpty()
        || !suspects.isEmpty()
        || openFiles.anyAwaited()) {
      return OptionalInt.of(SWEEP_MILLIS);
    }
    return unopened.isEmpty() ? OptionalInt.empty() : OptionalInt.of(REOPEN_MILLIS);
  }

  /** Looks after what no change will be reported for. */
  void sweep(boolean hurry, boolean endNameless) {
    long nowMillis = settings.clockMillis().getAsLong();
    if (hurry || nowMillis - reopenedAtMillis >= REOPEN_MILLIS) {
      reopenedAtMillis = nowMillis;
      retryUnopened();
    }
    openFiles.retry(this::tryOpen);
    lookAgainAtSuspected();
    for (WatchedFile file : List.copyOf(renamed)) {
      renamed.remove(file);
      refresh(file);
      keepers.forEach(keeper -> keeper.renamed(file));
    }
    for (WatchedFile file : List.copyOf(nameless)) {
      refresh(file);
      endIfDone(file, endNameless);
    }
    keepers.forEach(TailKeeper::settleNewTails);
    resolveDescriptors();
  }

  private void lookAgainAtSuspected() {
    for (WatchedFile file : suspects.takeAll()) {
      if (file.isOpen()) {
        refresh(file); // Which puts it back if that does not tell.
      }
    }
  }

  /** Ends the tails that are done with the file; without any, the file is closed. */
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
      close(file);
    }
  }

  /** Closes a file that has nothing at risk, so that another can be opened. */
  private boolean closeIfQuiet(WatchedFile file) {
    List<TailKeeper> claimed = new ArrayList<>();
    for (TailKeeper keeper : keepers) {
      if (!keeper.tryClaimQuiet(file)) {
        break;
      }
      claimed.add(keeper);
    }
    boolean quiet = claimed.size() == keepers.size();
    if (quiet) {
      close(file);
    }
    claimed.forEach(keeper -> keeper.release(file));
    return quiet;
  }

  private void close(WatchedFile file) {
    if (!file.isOpen()) {
      return;
    }
    openFiles.closed(file);
    try {
      file.giveUpDescriptor();
    } catch (ErrnoException e) {
      // Linux frees the descriptor all the same; of a file that was only read, no data hangs on
      // what close says.
      problems.report(file.name().toString(), e, "nothing is lost; the file was only read");
    }
  }

  /** Looks at every file, whether or not a change was reported. */
  void refreshAll() {
    registry.all().forEach(this::refresh);
  }
}
