package dev.tailwater.delivery.keeper;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Begins, schedules and ends the tails of one destination.
 *
 * <p>Until the destination is connected, that is, has told what it holds if it must be asked, tails
 * only keep their files open and count what is at risk; nothing is read. Used by the watch thread
 * only, except before that is started.
 */
public final class TailKeeper {
  private final LaneTools lane;
  private final Duration goneGrace;
  private final LaneStart start;
  private final QuietTails quiet;
  private final List<Tail> unscheduled = new ArrayList<>();

  /**
   * Creates a keeper without tails.
   *
   * @param goneGrace how long a file without a watched name must be quiet before its stream ends
   */
  public TailKeeper(LaneTools lane, LaneStart start, Duration goneGrace) {
    this.lane = lane;
    this.goneGrace = goneGrace;
    this.start = start;
    this.quiet = new QuietTails(lane, start, this::expect);
  }

  /** Returns how the lane goes on from earlier runs. */
  public LaneStart start() {
    return start;
  }

  /** Returns the tails whose files may be closed, and leave memory. */
  public QuietTails quiet() {
    return quiet;
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
   * @param nextStartAsks whether the next start must ask the destination again
   */
  public void connect(
      Map<StreamId, Holding> holdings,
      boolean onlyHoldingsCount,
      Collection<Tail> tails,
      boolean nextStartAsks)
      throws IOException {
    start.connect(holdings, onlyHoldingsCount, tails, nextStartAsks);
    tails.forEach(this::expect);
    settleNewTails();
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
    Tail tail = present.isPresent() ? present.get() : start.begin(file, firstScan);
    try {
      if (present.isEmpty() && opened.isPresent()) {
        TailLook.opened(tail, opened.get(), lane.clocks().nanos(), lane.clocks().millis());
      } else {
        lane.look(tail);
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
   * Records new streams, with one sync for all, before a byte of them is delivered, unless the next
   * start would find out at the destination.
   */
  public void settleNewTails() {
    try {
      if (start.isConnected()) { // Otherwise connect() schedules them all.
        start.recordNewStreams();
        unscheduled.forEach(this::schedule);
      }
      unscheduled.clear();
    } finally {
      lane.queue().expectTails(false);
    }
  }

  /** Looks at the file of a tail of this destination. */
  public void refresh(Tail tail) throws ErrnoException {
    lane.look(tail);
    schedule(tail);
  }

  /** Has what a look has found delivered, and told where it is not about bytes. */
  private void schedule(Tail tail) {
    if (start.isConnected()) {
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

  /** Returns whether the tail has had nothing to do for the grace period. */
  private boolean isDone(Tail tail, WatchedFile file, boolean endNameless) {
    if (!tail.work().isDoneForGood()) {
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
      if (!tail.work().isAny() && !tail.content().awaitsComparison()) {
        end(tail, file);
      }
    } finally {
      lane.queue().release(tail);
    }
  }

  private void end(Tail tail, WatchedFile file) throws ErrnoException {
    StreamRecord.EndReason reason = endReason(tail, file);
    StreamProgress stream = tail.stream();
    if (tail.content().lacksComparison() && tail.mayBeChanged()) {
      stream.changedInPlace(true); // It was written to, and nobody can compare it any more.
    }
    tail.end(); // So that nobody moves it on.
    stream.end(
        new Ending(reason, tail.positionBytes(), tail.positionBytes(), lane.clocks().millis()));
    file.detach(tail);
    lane.known().ended(stream);
    lane.deliverer().describe(stream);
  }

  /**
   * Returns how the stream has ended. The archive does not call it complete if it may lack bytes
   * that were replaced: the file was closed before it was compared, or could not be compared.
   */
  private static StreamRecord.EndReason endReason(Tail tail, WatchedFile file)
      throws ErrnoException {
    if (tail.content().lacksComparison()) {
      return StreamRecord.EndReason.VANISHED;
    }
    return isDeleted(file) ? StreamRecord.EndReason.DELETED : StreamRecord.EndReason.MOVED_AWAY;
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

  /** Forgets streams that have ended, and of which the archive and the table know all. */
  public void releaseEnded() {
    lane.known().releaseEnded(stream -> stream.isToldComplete() && lane.saver().isSaved(stream));
  }

  /** Notes that what kept the file at a path from being read is over. */
  public void resolved(PosixPath path) {
    lane.problems().resolved(path);
  }
}
