package dev.tailwater.io.watch;

import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.watch.early.EarlyNames;
import dev.tailwater.io.watch.early.NameListener;
import dev.tailwater.io.watch.early.RootPaths;
import dev.tailwater.io.watch.early.Wanted;
import dev.tailwater.io.watch.event.AdaptiveTick;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.DirtyNames;
import dev.tailwater.io.watch.event.EventCollector;
import dev.tailwater.io.watch.event.HotDirectories;
import dev.tailwater.io.watch.event.MountChanges;
import dev.tailwater.io.watch.event.WakeUp;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A watch that reports which files below some roots appear, are written, are renamed and disappear.
 *
 * <p>The watch combines notification and scans. The kernel's notification says where to look and
 * costs nothing while nothing happens; an occasional scan of everything finds what notification
 * missed. Directories are watched by inotify(7) and, beyond its limits, whole file systems by
 * fanotify(7) where that is permitted. The watch polls the remaining directories, {@linkplain
 * FileSystemKind#inotifyBlind remote} directories, and files that are written so often that polling
 * is cheaper than reading their events. Events, polling, queue overflow and scans share one
 * procedure: look at names and compare them with the last snapshot.
 *
 * <p>Roots are absolute paths of directories or single files. A symbolic link in such a path is
 * followed only if no other user can have made it ({@link dev.tailwater.io.SourcePaths}); a root
 * behind any other link is {@link WatchChange.Unobservable}. Roots need not exist, and may vanish
 * and come back: the watch sees a root appear where its directory exists, and else looks for it
 * every {@link WatchOptions#pollMillis}, and as often whether a root behind a link is still where
 * the link leads. A directory that moves within the roots keeps its watch, and its files are
 * reported as renamed. A new directory is watched first and listed then, so that files created
 * before the watch are found.
 *
 * <pre>{@code
 * try (DirectoryWatch watch =
 *     DirectoryWatch.open(
 *         LinuxFileCalls.create(),
 *         List.of(PosixPath.of("/var/log/app")),
 *         WatchOptions.defaults().withWanted(path -> path.toString().endsWith(".log")),
 *         System::nanoTime)) {
 *   while (true) {
 *     watch.poll(-1).forEach(System.out::println);
 *   }
 * }
 * }</pre>
 *
 * <p>{@link #poll} and {@link #statistics} belong to one thread; {@link #wake} may be called by
 * any.
 */
public final class DirectoryWatch implements AutoCloseable {
  /** In one pass: a root may come and go all the time. */
  private static final int MAX_LOOKS_AT_ROOTS = 8;

  private final LongSupplier nanoClock;
  private final WatchTree tree;
  private final HotDirectories hot;
  private final Optional<EarlyNames> names;
  private final Notification notification;
  private final WatchContext context;
  private final Roots roots;
  private final KernelReports reports;
  private final LookSchedule schedule;
  private final WakeUp wakeUp;
  private final Portion portion;

  /** What was begun and is not complete. */
  private Optional<Look> current = Optional.empty();

  private boolean closed;

  /** A pass with what it is for. */
  private static final class Look {
    final LookSchedule.Purpose purpose;
    final Pass pass;
    long tookNanos;
    boolean begun;

    /** Whether all that was queued is done, and only the rest of its changes is to be taken. */
    boolean done;

    Look(LookSchedule.Purpose purpose, Pass pass) {
      this.purpose = purpose;
      this.pass = pass;
    }
  }

  private DirectoryWatch(
      FileCalls calls,
      List<PosixPath> rootPaths,
      WatchOptions options,
      LongSupplier nanoClock,
      Optional<NameListener> listener,
      WakeUp wakeUp) {
    this.nanoClock = nanoClock;
    this.wakeUp = wakeUp;
    this.tree = new WatchTree(new NameBudget(options.names(), rootPaths.size()));
    long minMillis = options.minTickMillis();
    long maxMillis = options.maxTickMillis();
    this.hot = new HotDirectories(nanoClock, maxMillis, minMillis < maxMillis);
    this.portion = new Portion(nanoClock, options.portionNames());
    PathOpener opener = new PathOpener(calls, options.followSymlinks());
    this.names = listener.flatMap(told -> openNames(calls, rootPaths, options, opener, told));
    EventCollector events = new EventCollector(hot);
    this.notification = Notification.open(calls, options.notification(), events, names);
    WatchAssigner watches = new WatchAssigner(calls, notification, tree);
    this.context = new WatchContext(calls, opener, options, tree, watches, new UnobservablePaths());
    this.roots = new Roots(context, rootPaths);
    this.schedule = new LookSchedule(nanoClock, options, tree, roots, hot);
    MountChanges mounts =
        notification.isEnabled()
            ? MountChanges.open(calls, nanoClock)
            : MountChanges.unknown(nanoClock); // Polling finds them.
    AdaptiveTick tick = new AdaptiveTick(nanoClock, minMillis, maxMillis);
    this.reports = new KernelReports(notification, events, mounts, wakeUp, tick, roots);
  }

  /**
   * Opens a watch. It looks at nothing before the first {@link #poll}.
   *
   * @param roots absolute paths; {@link IllegalArgumentException} for others
   * @param nanoClock such as {@link System#nanoTime}
   * @throws ErrnoException if there is no descriptor for the wake-up (EMFILE, ENFILE). Without an
   *     inotify instance, everything is polled
   */
  public static DirectoryWatch open(
      FileCalls calls, List<PosixPath> roots, WatchOptions options, LongSupplier nanoClock)
      throws ErrnoException {
    return open(calls, roots, options, nanoClock, Optional.empty());
  }

  /**
   * Opens a watch that also tells a listener of each new name at once, by the thread that runs
   * {@link #names}. Only directories that inotify watches are told of; each takes two of the user's
   * watches then, until they are used up.
   *
   * @param listener empty for none
   * @throws ErrnoException as {@link #open(FileCalls, List, WatchOptions, LongSupplier)}
   */
  public static DirectoryWatch open(
      FileCalls calls,
      List<PosixPath> roots,
      WatchOptions options,
      LongSupplier nanoClock,
      Optional<NameListener> listener)
      throws ErrnoException {
    Roots.requireAbsolute(roots);
    return new DirectoryWatch(calls, roots, options, nanoClock, listener, WakeUp.open(calls));
  }

  private Optional<EarlyNames> openNames(
      FileCalls calls,
      List<PosixPath> rootPaths,
      WatchOptions options,
      PathOpener opener,
      NameListener listener) {
    if (options.notification() != NotificationMethod.AUTOMATIC) {
      return Optional.empty();
    }
    RootPaths roots = new RootPaths(rootPaths.stream().map(Roots::withoutTrailingSlash).toList());
    try {
      return Optional.of(
          EarlyNames.open(
              calls,
              nanoClock,
              opener::openBelow,
              new Wanted(roots, options.wanted(), options.descend(), options.leftOut()),
              listener,
              wakeUp));
    } catch (ErrnoException e) {
      listener.limited(e);
      return Optional.empty();
    }
  }

  /** Returns what tells of new names; its {@code run} is for a thread of its own. */
  public Optional<EarlyNames> names() {
    return names;
  }

  /** Returns whether the last look knows a file of this name. */
  public boolean knows(PosixPath path) {
    DirectoryNode directory = roots.directory(path.parent());
    return directory != null && directory.files.contains(path.fileName());
  }

  /**
   * Waits for changes and returns them in an order in which they can be applied. Returns an empty
   * list after the time-out, a call of {@link #wake}, at the end of a scan, or when only the
   * listener was told of names. A list has at most one {@code Modified} per path.
   *
   * <p>The first calls do not wait: they report everything that exists. A long scan is reported in
   * {@linkplain WatchOptions#portionNames portions}, with the changes that happen meanwhile; call
   * again while {@link #isScanning}, or {@link #scan} to have it all at once.
   *
   * @param timeoutMillis 0 to return at once, negative for no limit
   * @throws IOException if the kernel's queue itself fails; a failure of a single file or directory
   *     is a {@link WatchChange.Unobservable}
   */
  public List<WatchChange> poll(int timeoutMillis) throws IOException {
    if (closed) {
      throw new IllegalStateException("directory watch is closed");
    }
    if (schedule.isFirst()) {
      return look(false);
    }
    long startNanos = nanoClock.getAsLong();
    while (true) {
      long leftMillis =
          timeoutMillis < 0
              ? Long.MAX_VALUE
              : timeoutMillis - (nanoClock.getAsLong() - startNanos) / 1_000_000;
      // The work of the caller on the last changes is part of their cost.
      reports.endLook();
      boolean scanning = isScanning();
      boolean ready = await(scanning && !isHeld() ? 0 : Math.max(0, leftMillis));
      boolean woken = wakeUp.wasCalled();
      List<WatchChange> changes = look(ready);
      boolean told = names.isPresent() && names.get().takeTold();
      boolean scanned = scanning && !isScanning();
      if (!changes.isEmpty() || woken || told || leftMillis <= 0 || scanned) {
        return changes;
      }
    }
  }

  /**
   * Scans everything, however long that takes, and returns all changes in one list.
   *
   * @throws IOException as {@link #poll}
   */
  public List<WatchChange> scan() throws IOException {
    requestScan();
    List<WatchChange> changes = new ArrayList<>();
    while (isScanning()) {
      changes.addAll(poll(0));
    }
    return changes;
  }

  /**
   * Returns whether a scan has begun, or was {@linkplain #requestScan requested}, and not all that
   * it finds was returned. The next {@link #poll} does not wait then, unless the scan {@linkplain
   * #isHeld must}.
   */
  public boolean isScanning() {
    return current.isPresent() || schedule.isScanRequested();
  }

  /** Returns whether the scan that has begun waits until the caller has dealt with its backlog. */
  public boolean isHeld() {
    return current.filter(look -> look.pass.isHeld()).isPresent();
  }

  /** Waits for events, a due look, {@link #wake} or the limit; returns whether there are events. */
  private boolean await(long limitMillis) throws ErrnoException {
    long waitMillis = Math.min(limitMillis, schedule.millisLeft(current.isEmpty()));
    boolean ready = reports.await(waitMillis);
    if (ready && !wakeUp.isCalled() && (!isScanning() || isHeld())) {
      // With hot directories, a write just after the last look would wait for two ticks.
      reports.collect(hot.any() ? Math.min(limitMillis, hot.millisLeft()) : limitMillis);
    }
    return ready;
  }

  private List<WatchChange> look(boolean eventsReady) throws ErrnoException {
    boolean continued = current.isPresent();
    if (!continued) {
      current = begin(eventsReady);
    }
    if (current.isEmpty()) {
      return List.of();
    }
    try {
      return proceed(current.get(), eventsReady, continued);
    } catch (RuntimeException | Error e) {
      giveUp();
      throw e;
    }
  }

  /** Begins a look, if there is something to look at. */
  private Optional<Look> begin(boolean eventsReady) {
    Optional<LookSchedule.Purpose> purpose = schedule.begin(eventsReady);
    if (purpose.isEmpty()) {
      return Optional.empty();
    }
    tree.names().settlePending();
    Pass pass = new Pass(context, purpose.get().number(), portion, nanoClock);
    return Optional.of(new Look(purpose.get(), pass));
  }

  private List<WatchChange> proceed(Look look, boolean eventsReady, boolean continued)
      throws ErrnoException {
    Pass pass = look.pass;
    if (pass.hasMoreToTake()) {
      return take(look, look.done);
    }
    context.watches().beginPass();
    tree.names().settleWaiting(context.options().backlog());
    if (eventsReady) {
      reports.beginLook();
      reports.lookAt(pass, continued, schedule::requestScan);
      hot.newlyHot().forEach(pass::lookAtFiles);
    }
    long startNanos = nanoClock.getAsLong();
    // A scan that begins looks at those as well.
    boolean pollHot = hot.due() && (continued || !look.purpose.scan());
    List<DirectoryNode> hotNow = pollHot ? hot.toPoll() : List.of();
    if (!look.begun) {
      beginScan(look);
    }
    hotNow.forEach(pass::lookAtFiles);
    if (continued && pass.isHeld() && schedule.isPollDue()) {
      pollUnwatched(pass); // It would wait as long as the scan.
      schedule.polled(nanoClock.getAsLong() - startNanos);
    }
    boolean done = pass.run();
    long tookNanos = nanoClock.getAsLong() - startNanos;
    if (pass.anythingMissing()) {
      // It may have been moved; then the events of the move have arrived by now.
      reports.drain();
      reports.lookAt(pass, true, schedule::requestScan);
      done = pass.run();
    }
    // Between portions nothing is run beyond a portion: events would wait.
    for (int looks = 0; done && looks < MAX_LOOKS_AT_ROOTS && roots.checkAgain(pass); looks++) {
      done = pass.run();
    }
    account(look, pollHot, hotNow, tookNanos, done);
    return take(look, done);
  }

  private void beginScan(Look look) {
    look.begun = true;
    if (look.purpose.scan()) {
      notification.beginScan();
      roots.check(look.pass);
      roots.scan(look.pass);
    } else if (look.purpose.poll()) {
      pollUnwatched(look.pass);
    }
  }

  private List<WatchChange> take(Look look, boolean done) throws ErrnoException {
    look.done = done;
    // Whoever waits for room does not wait for names that may turn up elsewhere.
    List<WatchChange> changes = look.pass.take(done || look.pass.isHeld(), roots);
    if (done && !look.pass.hasMoreToTake()) {
      giveUp();
    }
    return changes;
  }

  private void giveUp() {
    current.ifPresent(look -> look.pass.close());
    current = Optional.empty();
  }

  private void account(
      Look look, boolean pollHot, List<DirectoryNode> hotNow, long tookNanos, boolean done) {
    look.tookNanos += tookNanos;
    if (look.purpose.scan() || look.purpose.poll() || pollHot) {
      schedule.spent(tookNanos);
    }
    if (pollHot) {
      schedule.polledHot(hotNow, tookNanos);
    }
    if (done) {
      schedule.ended(look.purpose, look.tookNanos);
    }
  }

  private void pollUnwatched(Pass pass) {
    roots.check(pass);
    for (DirectoryNode node : tree.polled()) {
      if (context.mustWait(node)) {
        pass.lookAtFiles(node);
      } else {
        pass.scanAlone(node);
      }
    }
    for (WatchTree.LinkedFile file : tree.linkedFiles()) {
      Map<PosixPath, Integer> name = new HashMap<>();
      name.put(file.name(), DirtyNames.CHECK);
      pass.look(file.node(), name);
    }
  }

  /**
   * Makes the next look scan everything, whether or not there are events; or the one after the scan
   * that is under way. For any thread.
   */
  public void requestScan() {
    schedule.requestScan();
  }

  /** Makes the current or next {@link #poll} return soon. For any thread; no effect after close. */
  public void wake() throws ErrnoException {
    wakeUp.call();
  }

  /** Returns a snapshot of what the watch covers and has done. */
  public WatchStatistics statistics() {
    return new WatchStatistics(
        tree.fileCount(),
        tree.directoryCount(),
        tree.names().leftOut(),
        tree.links(),
        notification.inotifyDirectories(),
        notification.fanotifyDirectories(),
        tree.polledCount(),
        hot.count(),
        reports.events(),
        reports.coalesced(),
        notification.skippedEvents(),
        reports.overflows(),
        schedule.scans(),
        schedule.polls(),
        schedule.hotPolls(),
        schedule.nanos(),
        reports.tickMillis());
  }

  @Override
  public void close() throws ErrnoException {
    if (closed) {
      return;
    }
    closed = true;
    giveUp();
    try (wakeUp) {
      reports.close();
    }
  }
}
