package dev.tailwater.delivery.keeper;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.merge.Merger;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Begins, schedules and ends the tails of one destination.
 *
 * <p>Until the destination is connected, that is, has told what it holds if it must be asked, tails
 * only keep their files open and count what is at risk; nothing is read. Used by the watch thread
 * only, except before that is started.
 */
public final class TailKeeper {
  /** How long a file that is to be closed waits for its comparison. */
  private static final long COMPARED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Only so short files are compared at once, since that takes as much time as it needs. */
  private static final long COMPARED_AT_ONCE_BYTES = 1 << 20;

  private final LaneTools lane;
  private final Duration goneGrace;
  private final StreamChoice streams;
  private final UnregisteredStreams unregistered;
  private final List<Tail> unscheduled = new ArrayList<>();
  private final Set<Tail> unidentified = new HashSet<>();
  private boolean connected;
  private boolean asksNoMore;
  private boolean firstScanSettled;

  /**
   * What a keeper works with.
   *
   * @param number of the destination among the agent's
   * @param required whether bytes are at risk until they are durable there
   */
  public record LaneTools(
      int number,
      boolean required,
      Streams streams,
      DueQueue queue,
      Deliverer deliverer,
      Merger merger,
      Problems problems,
      Clocks clocks) {}

  /**
   * What is known of the streams of earlier runs.
   *
   * @param doubtNewFiles whether a file that is there at the start may be partly delivered although
   *     nothing is known of it
   * @param asksAgain whether the next start asks the destination what it holds, unless this run has
   *     recorded all files that its first scan finds
   */
  public record Streams(
      KnownStreams known,
      boolean doubtNewFiles,
      boolean asksAgain,
      CheckpointStore checkpoints,
      CheckpointSaver saver) {}

  /**
   * Creates a keeper without tails.
   *
   * @param goneGrace how long a file without a watched name must be quiet before its stream ends
   */
  public TailKeeper(LaneTools lane, Duration goneGrace) {
    this.lane = lane;
    this.goneGrace = goneGrace;
    this.streams = new StreamChoice(lane.streams().known(), lane.clocks());
    this.unregistered = new UnregisteredStreams(lane.streams().saver(), lane.streams().asksAgain());
  }

  public boolean isRequired() {
    return lane.required();
  }

  /**
   * Begins delivery: the destination has told what it holds, or need not be asked.
   *
   * @param holdings what it holds, if checkpoints may not know all streams
   * @param onlyHoldingsCount whether what the table of files said was wrong
   * @param tails of the files that are in memory
   * @param nextStartKnows whether the next start may do without asking
   */
  public void connect(
      Map<StreamId, Inventory.Holding> holdings,
      boolean onlyHoldingsCount,
      Collection<Tail> tails,
      boolean nextStartKnows)
      throws IOException {
    lane.streams().known().addHoldings(holdings);
    for (Tail tail : tails) {
      if (onlyHoldingsCount || unidentified.contains(tail)) {
        identify(tail);
        unidentified.remove(tail);
        lookAgain(tail);
      }
    }
    // Only now: nothing may be delivered under a name that is not certain.
    connected = true;
    asksNoMore = nextStartKnows;
    tails.forEach(this::expect);
    settleNewTails();
  }

  /** Refreshes the tail: another destination's worker may already read for this one too. */
  private void lookAgain(Tail tail) {
    try {
      tail.refresh(lane.clocks().nanos(), lane.clocks().millis());
    } catch (ErrnoException e) {
      lane.problems()
          .report(tail.name().toString(), e, "the file stays at risk and is tried again");
    }
  }

  private void identify(Tail tail) throws IOException {
    Optional<StreamProgress> held = streams.claimKnown(tail.file());
    StreamProgress stream = held.orElseGet(() -> streams.ofTail(tail));
    tail.identify(
        stream, held.isEmpty() && !lane.streams().doubtNewFiles() && isOfThisAgent(stream));
    unregistered.add(stream);
  }

  /** Returns whether the listing, which is of this agent's name only, covers the stream. */
  private boolean isOfThisAgent(StreamProgress stream) {
    return stream.agent().equals(lane.streams().known().agent());
  }

  /**
   * Gives the file a tail, if it has none, and schedules what is in it for delivery. A new tail is
   * attached once its size was seen: until then it would tell others that nothing is at risk.
   *
   * @param opened the status with which the file was opened just now, if it was
   */
  public void attend(WatchedFile file, Optional<FileStatus> opened, boolean firstScan)
      throws IOException {
    Optional<Tail> present = file.tail(lane.number());
    Tail tail = present.isPresent() ? present.get() : begin(file, firstScan);
    try {
      if (present.isEmpty() && opened.isPresent()) {
        tail.opened(opened.get(), lane.clocks().nanos(), lane.clocks().millis());
      } else {
        tail.refresh(lane.clocks().nanos(), lane.clocks().millis());
      }
      expect(tail);
    } finally {
      if (present.isEmpty()) {
        file.attach(tail);
      }
    }
  }

  /** Has a tail scheduled with the next ones; before others see it. */
  private void expect(Tail tail) {
    if (unscheduled.isEmpty()) {
      lane.queue().expectTails(true);
    }
    unscheduled.add(tail);
  }

  /**
   * Returns the stream of a file that an earlier run has left, as the table of files has it, if the
   * archive can have no more of it; empty where that takes more to tell.
   */
  public Optional<StreamProgress> present(FileIdentity identity) throws IOException {
    return connected && !lane.streams().doubtNewFiles()
        ? lane.streams().known().present(identity)
        : Optional.empty();
  }

  /** Returns whether some stream may be {@link #present}. */
  public boolean mayHavePresent() {
    return connected && !lane.streams().doubtNewFiles() && !lane.streams().known().isFirstRun();
  }

  /** Notes that a file was found, and goes on with the stream that is {@link #present}. */
  public void found(FileIdentity identity) {
    lane.streams().known().found(identity);
  }

  private Tail begin(WatchedFile file, boolean firstScan) throws IOException {
    Optional<StreamProgress> before = streams.claimKnown(file);
    StreamProgress stream = before.orElseGet(() -> streams.ofNewFile(file));
    boolean doubtful =
        before.isPresent()
            || (lane.streams().doubtNewFiles() && (firstScan || streams.mayBeOlder(file)))
            || !isOfThisAgent(stream);
    boolean identified = before.isPresent() || connected;
    Tail tail = new Tail(file, lane.number(), stream, connected && !doubtful, identified);
    if (!identified) {
      unidentified.add(tail); // Recorded only once it is certain that this is the stream.
    } else {
      unregistered.add(stream);
    }
    return tail;
  }

  /**
   * Records new streams, with one sync for all, before a byte of them is delivered, unless the next
   * start would find out at the destination.
   */
  public void settleNewTails() {
    try {
      if (connected) { // Otherwise connect() schedules them all.
        unregistered.settle();
        unscheduled.forEach(this::schedule);
      }
      unscheduled.clear();
    } finally {
      lane.queue().expectTails(false);
    }
  }

  /** Looks at the file of a tail of this destination. */
  public void refresh(Tail tail) throws ErrnoException {
    tail.refresh(lane.clocks().nanos(), lane.clocks().millis());
    schedule(tail);
  }

  /** Has what a look has found delivered, and told where it is not about bytes. */
  private void schedule(Tail tail) {
    if (connected) {
      lane.queue().schedule(tail);
      describe(tail);
    }
  }

  private void describe(Tail tail) {
    if (tail.isIdentified() && tail.stream().isUndescribed()) {
      lane.deliverer().describe(tail.stream());
    }
  }

  /** Notes that the file was written to, after a look at it. */
  public void modified(WatchedFile file) {
    file.tail(lane.number()).filter(Tail::suspect).ifPresent(this::schedule);
  }

  /** Records a name of the file that the archive does not know. */
  public void renamed(WatchedFile file) {
    file.tail(lane.number()).ifPresent(this::describe);
  }

  /**
   * Ends the known streams whose files the first scan has not found, unless those could not be
   * looked at. Does nothing before the destination is connected.
   *
   * @param outOfSight tells which archived paths could not be looked at
   */
  public void firstScanDone(Predicate<PosixPath> outOfSight) {
    if (firstScanSettled || !connected) {
      return;
    }
    firstScanSettled = true;
    noteFirstLook();
    long nowMillis = lane.clocks().millis();
    try {
      lane.streams().known().settle(stream -> settle(stream, outOfSight, nowMillis));
    } catch (IOException e) {
      CheckpointSaver.report(lane.problems(), e); // The next start finds out what has vanished.
    }
  }

  /** Ends a stream whose file was not found; false if that could not be looked at. */
  private boolean settle(StreamProgress stream, Predicate<PosixPath> outOfSight, long nowMillis) {
    if (outOfSight.test(stream.path())) {
      return false;
    }
    // After an interrupted run the archive may hold more of a stream than its checkpoint says, and
    // may not say yet how it ended.
    if (stream.ending().isEmpty()) {
      lane.streams().known().ended(stream);
      lane.deliverer().endVanished(stream, lane.streams().doubtNewFiles(), nowMillis);
    } else if (lane.streams().doubtNewFiles()) {
      lane.streams().known().ended(stream);
      lane.deliverer().describe(stream);
    }
    return true;
  }

  private void noteFirstLook() {
    unregistered.firstScanDone();
    CheckpointStore checkpoints = lane.streams().checkpoints();
    if (asksNoMore) {
      lane.streams().saver().note("settled", checkpoints::settled);
    }
    lane.streams().saver().note("looked", checkpoints::looked);
  }

  /** Returns whether the tail has had nothing to do for the grace period. */
  private boolean isDone(Tail tail, WatchedFile file, boolean endNameless) {
    if (tail.hasWork()
        || tail.atRiskBytes() > 0
        || tail.isSuspectedOfChange()
        || tail.awaitsComparison()) {
      return false;
    }
    long now = lane.clocks().nanos();
    long graceNanos = goneGrace.toNanos();
    return endNameless
        || (now - file.namelessSinceNanos().orElse(now) >= graceNanos
            && now - tail.lastGrowthNanos() >= graceNanos);
  }

  /** Ends the tail of a file without a name, if the destination has all of it. */
  public void endIfDone(WatchedFile file, boolean endNameless) throws ErrnoException {
    Optional<Tail> found = file.tail(lane.number());
    if (found.isEmpty()) {
      return;
    }
    Tail tail = found.get();
    if (!isDone(tail, file, endNameless) || !lane.queue().tryClaim(tail)) {
      return;
    }
    try {
      refresh(tail);
      if (!tail.hasWork() && !tail.awaitsComparison()) {
        end(tail, file);
      }
    } finally {
      lane.queue().release(tail);
    }
  }

  private void end(Tail tail, WatchedFile file) throws ErrnoException {
    boolean deleted = isDeleted(file);
    tail.end(); // So that nobody moves it on.
    StreamProgress stream = tail.stream();
    stream.end(
        new Ending(
            deleted ? StreamRecord.EndReason.DELETED : StreamRecord.EndReason.MOVED_AWAY,
            tail.positionBytes(),
            tail.positionBytes(),
            lane.clocks().millis()));
    file.detach(tail);
    lane.streams().known().ended(stream);
    lane.deliverer().describe(stream);
  }

  private static boolean isDeleted(WatchedFile file) throws ErrnoException {
    Optional<SharedDescriptor.Lease> lease = file.lease();
    if (lease.isEmpty()) {
      return false;
    }
    try (SharedDescriptor.Lease open = lease.get()) {
      return open.calls().fstat(open.fd()).links() == 0;
    }
  }

  /**
   * Claims the file's tail, if it has nothing at risk and is compared, and so needs no descriptor
   * now. Others wait for descriptors, so a comparison that does not come is not waited for.
   */
  public boolean tryClaimQuiet(WatchedFile file) {
    Optional<Tail> found = file.tail(lane.number());
    if (found.isEmpty()) {
      return true;
    }
    Tail tail = found.get();
    if (tail.hasWork() || tail.atRiskBytes() > 0) {
      return false;
    }
    if (tail.awaitsComparison()
        && lane.clocks().nanos() - tail.lastChangeNanos() < COMPARED_WITHIN_NANOS) {
      file.comparisons().want(tail); // When it is closed, nobody can tell whether it was rewritten.
      return false;
    }
    return lane.queue().tryClaim(tail);
  }

  /** Releases what {@link #tryClaimQuiet} has claimed. */
  public void release(WatchedFile file) {
    file.tail(lane.number()).ifPresent(lane.queue()::release);
  }

  /** Forgets streams that have ended, and of which the archive and the table know all. */
  public void releaseEnded() {
    lane.streams()
        .known()
        .releaseEnded(
            stream ->
                stream.isComplete()
                    && !stream.isUndescribed()
                    && lane.streams().saver().isSaved(stream));
  }

  /**
   * Has a file compared that may leave memory then. A look that came before it was read could not
   * ask for that.
   *
   * @param atOnce whether others need its memory
   */
  public void compareToLeave(WatchedFile file, boolean atOnce) {
    Optional<Tail> found = file.tail(lane.number());
    if (found.isEmpty()) {
      return;
    }
    Tail tail = found.get();
    if (tail.atRiskBytes() > 0 || tail.isKnownToBeSame()) {
      return;
    }
    if (atOnce && tail.positionBytes() <= COMPARED_AT_ONCE_BYTES) {
      file.comparisons().want(tail);
    } else {
      tail.requestComparison();
    }
  }

  /** Returns whether the file has bytes that are at risk here, as far as is known. */
  public boolean hasAtRisk(WatchedFile file) {
    Optional<Tail> tail = file.tail(lane.number());
    return tail.isPresent() && tail.get().atRiskBytes() > 0;
  }

  /** Returns whether the file has nothing at risk here, and nothing is done with it. */
  public boolean mayLeave(WatchedFile file) {
    Optional<Tail> tail = file.tail(lane.number());
    return connected
        && tail.isPresent()
        && tail.get().mayLeave()
        && !file.comparisons().needs(tail.get())
        && !lane.deliverer().isDescribing(tail.get().stream())
        && !lane.merger().isMerging(tail.get().stream());
  }

  /** Returns a hash of the file's attributes as the tail has last seen them. */
  public OptionalInt attributes(WatchedFile file) {
    Optional<Tail> tail = file.tail(lane.number());
    return tail.isPresent() ? tail.get().attributes() : OptionalInt.empty();
  }

  /** Claims the file's tail; false when a worker has it. */
  public boolean tryClaim(WatchedFile file) {
    return file.tail(lane.number()).filter(lane.queue()::tryClaim).isPresent();
  }

  /** Saves what the table does not know yet of claimed files. */
  public void saveClaimed(Collection<WatchedFile> files) {
    List<StreamProgress> unsaved = new ArrayList<>();
    for (WatchedFile file : files) {
      file.tail(lane.number())
          .map(Tail::stream)
          .filter(stream -> !stream.isCheckpointed())
          .ifPresent(unsaved::add);
    }
    if (!unsaved.isEmpty() && !lane.streams().saver().isFailing()) {
      lane.streams().saver().saveAll(unsaved);
    }
  }

  /** Returns whether the table knows all of the file. */
  public boolean isSaved(WatchedFile file) {
    return file.tail(lane.number())
        .map(Tail::stream)
        .filter(stream -> stream.isCheckpointed() && lane.streams().saver().isSaved(stream))
        .isPresent();
  }

  /** Releases what {@link #tryClaim} has claimed; of a file that left memory, forgets the tail. */
  public void releaseClaimed(WatchedFile file, boolean left) {
    Tail tail = file.tail(lane.number()).orElseThrow();
    if (left) {
      tail.end();
      tail.stream().leave();
      lane.merger().leave(tail.stream());
      file.detach(tail);
    }
    lane.queue().release(tail);
  }

  /** Returns what is known of a file that may have left memory. */
  public Optional<Checkpoint> away(FileIdentity identity) throws IOException {
    return lane.streams().known().away(identity);
  }

  /**
   * Returns the stream of a file that left memory, so that it comes back.
   *
   * @param arrivalNanos when the file came to its path
   */
  public StreamProgress streamOf(Checkpoint away, long arrivalNanos) throws IOException {
    return lane.streams().known().comeBack(away, arrivalNanos);
  }

  /** Gives a file that is back in memory its tail again. */
  public void comeBack(WatchedFile file, StreamProgress stream) {
    lane.merger().comeBack(stream);
    Tail tail = Tail.comeBack(file, lane.number(), stream);
    lookAgain(tail);
    expect(tail);
    file.attach(tail); // Once its size was seen, as others ask what is at risk.
  }

  /** Notes that what kept the file at a path from being read is over. */
  public void resolved(PosixPath path) {
    lane.problems().resolved(path);
  }

  /** Forgets the checkpoints of files that have been out of sight since then. */
  public void forgetUnseenSince(long millis) throws IOException {
    lane.streams().saver().forgetAll(lane.streams().known().unseenSince(millis));
  }
}
