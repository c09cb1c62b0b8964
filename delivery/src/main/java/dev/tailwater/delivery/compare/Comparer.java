package dev.tailwater.delivery.compare;

import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.ThreadPriorities;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.BegunComparison;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.thread.WorkLoop;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The thread that compares files with what was read of them, block by block by their checksums, and
 * schedules what differs for delivery. Unless somebody waits for it, it works for a tenth of the
 * time at most, reading included.
 */
public final class Comparer implements AutoCloseable {
  /** It works for a tenth of the time. */
  private static final int PART = 10;

  private static final long LEAST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_YIELD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String TAKING = "finding files to compare";
  private static final String UNSTATED = "lost state";

  private final FileCalls calls;
  private final ComparisonQueue queue;
  private final List<ComparedLane> lanes;
  private final Problems problems;
  private final FailedComparisons failures;
  private final Tempo tempo;
  private final Clocks clocks;
  private final Neighbour neighbour;
  private final Thread thread;

  /** For the thread only. */
  private final WorkShare share = new WorkShare(PART, LEAST_REST_NANOS);

  /** The bytes of which each destination's archive states nothing; for the thread only. */
  private final long[] unstatedBytes;

  /** How many files have such bytes; for the thread only. */
  private final long[] unstatedFiles;

  /** Whether the thread has its normal priority, since somebody waits; for the thread only. */
  private boolean raised;

  /**
   * What a comparer needs of a destination.
   *
   * @param queue takes tails of which bytes were replaced
   * @param accepts tells of which streams new bytes can be delivered
   * @param saver saves that a file was compared
   * @param describes tells the archive what it does not know of a stream
   */
  public record ComparedLane(
      DueQueue queue,
      Predicate<StreamProgress> accepts,
      CheckpointSaver saver,
      Consumer<StreamProgress> describes) {}

  /**
   * Creates a comparer that does nothing before {@link #start}.
   *
   * @param lanes of all destinations, in the order of their numbers
   */
  public Comparer(
      FileCalls calls,
      ComparisonQueue queue,
      List<ComparedLane> lanes,
      Problems problems,
      Tempo tempo,
      Clocks clocks,
      Neighbour neighbour) {
    this.calls = calls;
    this.queue = queue;
    this.lanes = List.copyOf(lanes);
    this.unstatedBytes = new long[lanes.size()];
    this.unstatedFiles = new long[lanes.size()];
    this.problems = problems;
    this.failures = new FailedComparisons(problems);
    this.tempo = tempo;
    this.clocks = clocks;
    this.neighbour = neighbour;
    queue.whenEnded(failures::over);
    this.thread = Thread.ofPlatform().name("compare").daemon(true).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /** Has the tail compared as soon as possible. */
  public void want(Tail tail) {
    queue.want(tail);
  }

  private void run() {
    Optional<ThreadPriorities.Lowered> lowered = neighbour.priorities().lowerRevocably();
    try (TailReader reader = new TailReader(calls)) {
      ComparisonPass.Tools tools =
          new ComparisonPass.Tools(calls, clocks, reader, queue::isClosed, this::rest);
      new WorkLoop(problems, TAKING).run(() -> takeNext(lowered, tools));
    } finally {
      lowered.ifPresent(neighbour.priorities()::ended);
    }
  }

  /** Does the next task; false when the queue is closed. */
  private boolean takeNext(Optional<ThreadPriorities.Lowered> lowered, ComparisonPass.Tools tools)
      throws InterruptedException {
    Optional<ComparisonQueue.Claim> claim = queue.take();
    if (claim.isEmpty()) {
      return false;
    }
    boolean worked = false;
    try {
      if (claim.get().task() == ComparisonQueue.Task.LOOK) {
        look(claim.get().tail());
      } else {
        settle(lowered, claim.get().urgent());
        compare(claim.get(), tools);
      }
      worked = true;
    } finally {
      if (!worked) {
        queue.again(claim.get().tail()); // Somebody may wait for it.
      }
    }
    return true;
  }

  /** Gives the thread its normal priority while somebody waits for it. */
  private void settle(Optional<ThreadPriorities.Lowered> lowered, boolean urgent) {
    if (urgent != raised) {
      raised = urgent;
      lowered.ifPresent(
          raised ? neighbour.priorities()::raise : neighbour.priorities()::lowerAgain);
    }
  }

  /** Looks at a file again; what the look tells decides whether it is to be compared. */
  private void look(Tail tail) {
    try {
      var _ = TailLook.refresh(tail, clocks.nanos(), clocks.millis());
      describe(tail);
    } catch (ErrnoException | RuntimeException e) {
      queue.again(tail); // The comparison reports what is wrong with it.
    } finally {
      lanes.get(tail.lane()).queue().schedule(tail);
    }
  }

  /** Compares one tail; a failure is reported and stops nobody. */
  private void compare(ComparisonQueue.Claim claim, ComparisonPass.Tools tools)
      throws InterruptedException {
    Tail tail = claim.tail();
    Optional<SharedDescriptor.Lease> lease = tail.file().lease();
    if (lease.isEmpty()) {
      queue.again(tail);
      return;
    }
    try (BegunComparison begun = begin(tail)) {
      compare(claim, begun, lease.get(), tools);
    } finally {
      lanes.get(tail.lane()).queue().schedule(tail);
    }
  }

  private BegunComparison begin(Tail tail) {
    long readings = tail.readings();
    // In this order: a worker reads, hands over, and releases the tail.
    boolean idle = !lanes.get(tail.lane()).queue().isClaimed(tail);
    return tail.beginComparison(
        idle ? OptionalLong.of(readings) : OptionalLong.empty(), clocks.nanos());
  }

  private void compare(
      ComparisonQueue.Claim claim,
      BegunComparison begun,
      SharedDescriptor.Lease lease,
      ComparisonPass.Tools tools)
      throws InterruptedException {
    Tail tail = claim.tail();
    StreamProgress stream = begun.at().stream();
    long changes = begun.changes();
    try (SharedDescriptor.Lease open = lease) {
      FileStatus status = tools.calls().fstat(open.fd());
      boolean storesUnseen = mayHaveStoresUnseen(tail, status);
      boolean mayRepeatTime =
          tail.content().mayRepeatTime(stream, status, clocks.millis(), clocks.nanos());
      boolean deliverable = lanes.get(tail.lane()).accepts().test(stream);
      ComparisonPass pass = new ComparisonPass(tools, claim, begun, open.fd(), deliverable);
      switch (pass.run()) {
        case ComparisonPass.Learnt learnt -> learnt(tail, stream, learnt);
        case ComparisonPass.Compared compared -> {
          compared(claim, begun, compared, storesUnseen, mayRepeatTime);
          failures.over(tail);
        }
        case ComparisonPass.StreamChanged changed -> {
          tail.suspect(); // It may have been truncated, which a worker finds.
          schedule(tail);
          if (!changed.learning()) {
            tail.comparisonFailed(stream, changes, saver(tail)::saveWithNext);
          }
          if (!queue.isClosed()) {
            failures.over(tail); // What could not be read of it is not in it any more.
          }
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      tail.comparisonFailed(stream, changes, saver(tail)::saveWithNext);
      queue.again(tail);
      failures.failed(tail, e);
    }
  }

  /**
   * Returns whether more may be stored through a mapping without another sign: something that was
   * no append has set the time, and the page may not be written back yet. Of appends it is not
   * expected, since every log would be read once more.
   */
  private boolean mayHaveStoresUnseen(Tail tail, FileStatus status) {
    long modifiedMillis = TimeUnit.NANOSECONDS.toMillis(status.modificationTimeNanos());
    return tail.mayBeChanged()
        && clocks.millis() - modifiedMillis < ComparisonSchedule.WRITTEN_BACK_MILLIS;
  }

  private void compared(
      ComparisonQueue.Claim claim,
      BegunComparison begun,
      ComparisonPass.Compared compared,
      boolean storesUnseen,
      boolean mayRepeatTime) {
    Tail tail = claim.tail();
    StreamProgress stream = begun.at().stream();
    long changes = begun.changes();
    if (compared.withArchive() && compared.isDecided()) {
      stream.comparedWithArchive();
      if (compared.unstatedBytes() > 0) {
        reportUnstated(tail, compared.unstatedBytes());
      }
    }
    CheckpointSaver saver = saver(tail);
    // With the archive: checksums that no later run can find out once the file has changed.
    Consumer<StreamProgress> saves = compared.withArchive() ? saver::saveSoon : saver::saveWithNext;
    boolean again = compared.differs() || storesUnseen;
    if (compared.isAll()) {
      tail.tellTimeBeforeCompared(stream, changes, clocks.nanos());
      describe(tail);
      schedule(tail);
      if (again) { // This run may end before that.
        tail.comparedBeforeWriteBack(stream, changes, compared.isUndeliverable(), saves);
      } else {
        tail.compared(stream, changes, compared.isUndeliverable(), saves);
      }
    } else if (compared.isDecided()) {
      schedule(tail);
      tail.partCompared(stream, changes, compared.limitBytes(), compared.isUndeliverable(), saves);
    } else {
      tail.save(stream, saves);
    }
    queue.done(tail, compared.workedNanos(), compared.limitBytes(), again);
    if (mayRepeatTime && compared.isAll() && changes >= tail.changes()) {
      queue.mayBeWrittenUnseen(tail);
    } else if (claim.task() == ComparisonQueue.Task.LEARN) {
      tail.requestComparison(); // Of what was read meanwhile, and not at once.
    } else if (!compared.isAll() || changes < tail.changes()) {
      queue.again(tail); // Also what was read before a change, and handed over after that.
    } else if (!stream.isTimeTold()) {
      tail.requestComparison(); // The archive was told of another time just before.
    }
  }

  private CheckpointSaver saver(Tail tail) {
    return lanes.get(tail.lane()).saver();
  }

  /** Before the comparison is over: whoever waited for that asks next what is to be delivered. */
  private void schedule(Tail tail) {
    lanes.get(tail.lane()).queue().schedule(tail);
  }

  private void describe(Tail tail) {
    if (tail.isResumed() && tail.stream().isUndescribed()) {
      lanes.get(tail.lane()).describes().accept(tail.stream());
    }
  }

  private void learnt(Tail tail, StreamProgress stream, ComparisonPass.Learnt learnt) {
    if (learnt.isUndeliverable()) {
      stream.changedInPlace(true); // First, so that it is saved.
    }
    tail.save(stream, saver(tail)::saveSoon);
    queue.learnt(tail, learnt.workedNanos());
    tail.requestComparison();
  }

  /**
   * Says how much was taken for what was delivered, since the archive states nothing of it, of this
   * file and of those before it.
   */
  private void reportUnstated(Tail tail, long bytes) {
    unstatedBytes[tail.lane()] += bytes;
    unstatedFiles[tail.lane()]++;
    // Most files are those of another destination, too.
    long count = LongStream.of(unstatedFiles).max().orElseThrow();
    String files =
        count == 1
            ? tail.name().toString()
            : count + " files, the last of which is " + tail.name() + ",";
    long allBytes = LongStream.of(unstatedBytes).max().orElseThrow();
    problems.reportHarmless(
        UNSTATED,
        allBytes
            + (allBytes == 1 ? " byte of " : " bytes of ")
            + files
            + " cannot be compared with what an earlier run has delivered",
        Optional.of(
            "nothing is wrong unless they were rewritten while no agent ran: then they are not"
                + " delivered"),
        true);
  }

  /** Rests after a read, unless somebody waits for the comparison. */
  private void rest(long tookNanos, boolean urgent) throws InterruptedException {
    if (urgent || tempo.is(Tempo.Mode.HURRY)) {
      return;
    }
    share.worked(tookNanos);
    long dueNanos = share.dueNanos();
    if (dueNanos > 0) {
      long startNanos = clocks.nanos();
      queue.rest(dueNanos);
      share.rested(clocks.nanos() - startNanos);
      // Other programs may wait for the processor or the disk all the same.
      neighbour.yielding().rest(dueNanos / PART, clocks.nanos() + LONGEST_YIELD_NANOS);
    }
  }

  /**
   * Waits, after {@link #close}, until the thread has ended.
   *
   * @return false when the deadline passed before that: it hangs in a read, and ends when that
   *     returns
   */
  public boolean awaitEnd(Deadline deadline) throws InterruptedException {
    return deadline.join(thread);
  }

  /** Has the thread end after the read that it is at. Returns at once. */
  @Override
  public void close() {
    queue.close();
  }
}
