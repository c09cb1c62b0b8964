package dev.tailwater.delivery.watch;

import dev.tailwater.archive.StreamId;
import dev.tailwater.archive.StreamRecord;
import dev.tailwater.delivery.checkpoint.Checkpoint;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.Ending;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Turns changes of names into tails with work to do. All of it happens on the watch thread, but for
 * reading and delivering, which the queue hands to others.
 */
final class Observer {
  private static final String DESCRIPTORS = "open files";

  /** How often files without a name are looked at, and new names are told. */
  private static final int SWEEP_MILLIS = 250;

  /** How often files that could not be opened are tried again. */
  private static final int REOPEN_MILLIS = 5_000;

  private final ObserverSettings settings;
  private final TailOpener opener;
  private final TailRegistry registry;
  private final KnownStreams known;
  private final DueQueue queue;
  private final Deliverer deliverer;
  private final CheckpointStore checkpoints;
  private final Problems problems;

  private final List<StreamProgress> unregistered = new ArrayList<>();
  private final List<Tail> unscheduled = new ArrayList<>();
  private final Set<PosixPath> unopened = new LinkedHashSet<>();
  private final Set<PosixPath> unobservable = new HashSet<>();
  private final Set<Tail> nameless = new LinkedHashSet<>();
  private final Set<Tail> renamed = new LinkedHashSet<>();
  private int openFiles;
  private long reopenedAtMillis;
  private boolean firstScan = true;

  Observer(
      ObserverSettings settings,
      TailOpener opener,
      TailRegistry registry,
      KnownStreams known,
      DueQueue queue,
      Deliverer deliverer,
      CheckpointStore checkpoints,
      Problems problems) {
    this.settings = settings;
    this.opener = opener;
    this.registry = registry;
    this.known = known;
    this.queue = queue;
    this.deliverer = deliverer;
    this.checkpoints = checkpoints;
    this.problems = problems;
  }

  void apply(List<WatchChange> changes) {
    for (WatchChange change : changes) {
      switch (change) {
        case WatchChange.Appeared appeared -> open(appeared.path());
        case WatchChange.Modified modified -> modified(modified.path());
        case WatchChange.Renamed moved -> renamed(moved.from(), moved.path());
        case WatchChange.Disappeared gone -> disappeared(gone.path());
        case WatchChange.Unobservable unseen -> {
          unobservable.add(unseen.path());
          problems.report(
              unseen.path().toString(),
              unseen.why(),
              "let the agent's user read it; it is not taken for deleted");
        }
        case WatchChange.Observable seen -> {
          unobservable.remove(seen.path());
          problems.resolved(seen.path().toString());
        }
        case WatchChange.Degraded slow ->
            problems.report(
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
    settleNewTails();
  }

  /** New streams must be on record before a byte of them is delivered; one sync serves them all. */
  private void settleNewTails() {
    if (!unregistered.isEmpty()) {
      try {
        checkpoints.save(unregistered.stream().map(StreamProgress::checkpoint).toList());
        problems.resolved(Deliverer.STATE);
      } catch (IOException e) {
        problems.report(Deliverer.STATE, e, Deliverer.STATE_HINT);
      }
      unregistered.clear();
    }
    unscheduled.forEach(queue::schedule);
    unscheduled.clear();
  }

  private void modified(PosixPath path) {
    Optional<Tail> tail = registry.find(path);
    if (tail.isPresent() && tail.get().descriptor().isPresent()) {
      refresh(tail.get());
      tail.get().suspect();
      queue.schedule(tail.get());
    } else {
      open(path);
    }
  }

  private void refresh(Tail tail) {
    try {
      tail.refresh(settings.nanoClock().getAsLong(), settings.clockMillis().getAsLong());
      queue.schedule(tail);
    } catch (ErrnoException e) {
      problems.report(tail.name().toString(), e, "the file stays at risk and is tried again");
    }
  }

  private void open(PosixPath path) {
    if (openFiles >= settings.maxDescriptors() && !closeQuietTails()) {
      unopened.add(path);
      problems.report(
          DESCRIPTORS,
          "more files are at risk than may be open (" + settings.maxDescriptors() + ")",
          Optional.of("raise the limit of open files (LimitNOFILE=, ulimit -n)"),
          false);
      return;
    }
    try {
      unopened.remove(path);
      Optional<TailOpener.Opened> opened = opener.open(path);
      problems.resolved(path.toString());
      if (opened.isEmpty()) {
        return; // Gone again, or no regular file; the watch says so by itself.
      }
      bind(path, opened.get());
    } catch (ErrnoException e) {
      unopened.add(path);
      if (e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE) {
        problems.report(DESCRIPTORS, e, "raise the limit of open files (LimitNOFILE=, ulimit -n)");
        closeQuietTails();
      } else {
        problems.report(
            path.toString(), e, "let the agent's user read the file; it stays at risk until then");
      }
    }
  }

  private void bind(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    Optional<Tail> existing = registry.find(opened.identity());
    Tail tail;
    if (existing.isEmpty()) {
      tail = begin(path, opened);
    } else {
      tail = existing.get();
      renamed.add(tail);
      if (tail.descriptor().isPresent()) {
        opened.descriptor().close();
      } else {
        tail.adopt(opened.descriptor());
        openFiles++;
      }
    }
    bindName(path, tail);
    tail.refresh(settings.nanoClock().getAsLong(), settings.clockMillis().getAsLong());
    unscheduled.add(tail);
  }

  private Tail begin(PosixPath path, TailOpener.Opened opened) {
    Optional<StreamProgress> before = known.claim(opened.identity(), path);
    StreamProgress stream =
        before.orElseGet(
            () ->
                StreamProgress.begin(
                    settings.agent(),
                    opened.identity(),
                    StreamId.of(settings.agent(), opened.identity(), 0),
                    path,
                    settings.clockMillis().getAsLong()));
    boolean doubtful = before.isPresent() || (firstScan && settings.doubtNewFiles());
    Tail tail = new Tail(opened.descriptor(), path, opened.identity(), stream, !doubtful);
    registry.add(tail);
    openFiles++;
    if (!stream.isRegistered()) {
      unregistered.add(stream);
    }
    return tail;
  }

  private void bindName(PosixPath path, Tail tail) {
    registry.bind(path, tail).ifPresent(before -> unname(before, path));
    tail.addName(path);
    nameless.remove(tail);
  }

  private void unname(Tail tail, PosixPath path) {
    tail.removeName(path, settings.nanoClock().getAsLong());
    if (tail.namelessSinceNanos().isPresent()) {
      nameless.add(tail);
      refresh(tail);
    } else {
      renamed.add(tail);
    }
  }

  /**
   * Which file has moved, only a descriptor tells: between the watch's look and this one, the names
   * may have moved on. Whatever is wrong here by then, the changes that follow put right.
   */
  private void renamed(PosixPath from, PosixPath to) {
    disappeared(from);
    open(to);
  }

  private void disappeared(PosixPath path) {
    unopened.remove(path);
    problems.resolved(path.toString());
    registry.unbind(path).ifPresent(tail -> unname(tail, path));
  }

  /**
   * The first scan is complete: what was known and not found has vanished meanwhile, unless it is
   * only that it could not be looked at.
   */
  void firstScanDone() {
    if (!firstScan) {
      return;
    }
    firstScan = false;
    try {
      checkpoints.settled();
    } catch (IOException e) {
      problems.report(Deliverer.STATE, e, Deliverer.STATE_HINT);
    }
    long nowMillis = settings.clockMillis().getAsLong();
    for (StreamProgress stream : known.waiting()) {
      if (isOutOfSight(stream.path())) {
        continue;
      }
      // After an interrupted run the archive may hold more of a stream than its checkpoint says,
      // and may not say yet how it ended.
      if (stream.ending().isEmpty()) {
        deliverer.endVanished(stream, settings.doubtNewFiles(), nowMillis);
      } else if (settings.doubtNewFiles()) {
        deliverer.describe(stream);
      }
    }
  }

  private boolean isOutOfSight(PosixPath path) {
    return unopened.contains(path) || unobservable.stream().anyMatch(path::startsWith);
  }

  /** How soon {@link #sweep} has something to come back for; empty: not by itself. */
  OptionalInt sweepAfterMillis() {
    if (!nameless.isEmpty() || !renamed.isEmpty()) {
      return OptionalInt.of(SWEEP_MILLIS);
    }
    return unopened.isEmpty() ? OptionalInt.empty() : OptionalInt.of(REOPEN_MILLIS);
  }

  /** Looks after what no change will be reported for. */
  void sweep(boolean hurry, boolean endNameless) {
    long nowMillis = settings.clockMillis().getAsLong();
    if (hurry || nowMillis - reopenedAtMillis >= REOPEN_MILLIS) {
      reopenedAtMillis = nowMillis;
      List.copyOf(unopened).forEach(this::open);
    }
    for (Tail tail : List.copyOf(renamed)) {
      renamed.remove(tail);
      refresh(tail);
      deliverer.describe(tail.stream());
    }
    for (Tail tail : List.copyOf(nameless)) {
      refresh(tail);
      if (!tail.hasWork() && tail.atRiskBytes() == 0 && (endNameless || isQuiet(tail))) {
        end(tail);
      }
    }
    settleNewTails();
    if (unopened.isEmpty()) {
      problems.resolved(DESCRIPTORS);
    }
  }

  private boolean isQuiet(Tail tail) {
    long now = settings.nanoClock().getAsLong();
    long graceNanos = settings.goneGrace().toNanos();
    return now - tail.namelessSinceNanos().orElse(now) >= graceNanos
        && now - tail.lastGrowthNanos() >= graceNanos;
  }

  private void end(Tail tail) {
    if (!queue.tryClaim(tail)) {
      return;
    }
    try {
      refresh(tail);
      if (tail.hasWork()) {
        return;
      }
      boolean deleted = isDeleted(tail);
      StreamProgress stream = tail.stream();
      stream.end(
          new Ending(
              deleted ? StreamRecord.EndReason.DELETED : StreamRecord.EndReason.MOVED_AWAY,
              tail.positionBytes(),
              tail.positionBytes(),
              settings.clockMillis().getAsLong()));
      close(tail.end());
      nameless.remove(tail);
      registry.remove(tail);
      if (!deleted) {
        known.park(stream);
      }
      deliverer.describe(stream);
    } catch (ErrnoException e) {
      problems.report(tail.name().toString(), e, "the file stays open and is tried again");
    } finally {
      queue.release(tail);
    }
  }

  private boolean isDeleted(Tail tail) throws ErrnoException {
    Optional<Descriptor> open = tail.descriptor();
    return open.isPresent() && open.get().calls().fstat(open.get().fd()).links() == 0;
  }

  /** Closes files that have nothing at risk, so that others can be opened. */
  private boolean closeQuietTails() {
    int wanted = Math.max(1, settings.maxDescriptors() / 10);
    int closed = 0;
    for (Tail tail : registry.all()) {
      if (closed == wanted) {
        break;
      }
      if (tail.descriptor().isEmpty() || tail.hasWork() || tail.atRiskBytes() > 0) {
        continue;
      }
      if (queue.tryClaim(tail)) {
        close(tail.closeQuietly());
        queue.release(tail);
        closed++;
      }
    }
    return closed > 0;
  }

  private void close(Optional<Descriptor> descriptor) {
    descriptor.ifPresent(
        open -> {
          openFiles--;
          try {
            open.close();
          } catch (ErrnoException e) {
            // Linux frees the descriptor all the same; of a file that was only read, no data hangs
            // on what close says.
            problems.report(open.path().toString(), e, "nothing is lost; the file was only read");
          }
        });
  }

  /** Looks at every file, whether or not a change was reported. */
  void refreshAll() {
    registry.all().forEach(this::refresh);
  }

  /** Forgets checkpoints of files that have been out of sight for so long. */
  void forgetUnseenSince(long millis) throws IOException {
    for (StreamProgress stream : known.waiting()) {
      Checkpoint checkpoint = stream.checkpoint();
      if (checkpoint.ending().isPresent() && checkpoint.seenAtMillis() < millis) {
        known.forget(stream);
        checkpoints.forget(stream.id());
      }
    }
  }
}
