package dev.tailwater.delivery.compare;

import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.ThreadPriorities;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.seal.Holes;
import dev.tailwater.delivery.stream.ArchivedContent;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.sums.BlockSums.Sameness;
import dev.tailwater.delivery.tail.BegunComparison;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.thread.WorkLoop;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The thread that compares files with what was read of them, block by block by their checksums, and
 * schedules what differs for delivery. Unless somebody waits for it, it works for a tenth of the
 * time at most, reading included.
 */
public final class Comparer implements AutoCloseable {
  private static final int READ_BYTES = 16 * BlockSums.BLOCK_BYTES;
  private static final long REMEMBERED_BYTES = (long) BlockSums.MOST_BLOCKS * BlockSums.BLOCK_BYTES;

  /** It works for a tenth of the time. */
  private static final int PART = 10;

  private static final long LEAST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_YIELD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String COMPARING = "comparing files";
  private static final String TAKING = "finding files to compare";
  private static final String UNSTATED = "lost state";

  private final FileCalls calls;
  private final ComparisonQueue queue;
  private final List<ComparedLane> lanes;
  private final Problems problems;
  private final Tempo tempo;
  private final Clocks clocks;
  private final Neighbour neighbour;
  private final Thread thread;

  /** For the thread only. */
  private final WorkShare share = new WorkShare(PART, LEAST_REST_NANOS);

  /** Whether the thread has its normal priority, since somebody waits; for the thread only. */
  private boolean raised;

  /**
   * What a comparer needs of a destination.
   *
   * @param queue takes tails of which bytes were replaced
   * @param accepts tells of which streams new bytes can be delivered
   * @param saver saves that a file was compared
   */
  public record ComparedLane(
      DueQueue queue, Predicate<StreamProgress> accepts, CheckpointSaver saver) {}

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
    this.problems = problems;
    this.tempo = tempo;
    this.clocks = clocks;
    this.neighbour = neighbour;
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
      byte[] buffer = new byte[READ_BYTES];
      new WorkLoop(problems, TAKING).run(() -> takeNext(lowered, reader, buffer));
    } finally {
      lowered.ifPresent(neighbour.priorities()::ended);
    }
  }

  /** Does the next task; false when the queue is closed. */
  private boolean takeNext(
      Optional<ThreadPriorities.Lowered> lowered, TailReader reader, byte[] buffer)
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
        compare(claim.get(), reader, buffer);
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
      var _ = tail.refresh(clocks.nanos(), clocks.millis());
    } catch (ErrnoException | RuntimeException e) {
      queue.again(tail); // The comparison reports what is wrong with it.
    } finally {
      lanes.get(tail.lane()).queue().schedule(tail);
    }
  }

  /** Compares one tail; a failure is reported and stops nobody. */
  private void compare(ComparisonQueue.Claim claim, TailReader reader, byte[] buffer)
      throws InterruptedException {
    Tail tail = claim.tail();
    Optional<SharedDescriptor.Lease> lease = tail.lease();
    if (lease.isEmpty()) {
      queue.again(tail);
      return;
    }
    try (BegunComparison begun = tail.beginComparison()) {
      compare(claim, begun, lease.get(), reader, buffer);
    } finally {
      lanes.get(tail.lane()).queue().schedule(tail);
    }
  }

  private void compare(
      ComparisonQueue.Claim claim,
      BegunComparison begun,
      SharedDescriptor.Lease lease,
      TailReader reader,
      byte[] buffer)
      throws InterruptedException {
    Tail tail = claim.tail();
    Position at = begun.at();
    long changes = tail.changes();
    try (SharedDescriptor.Lease open = lease) {
      Pass pass = new Pass(claim, begun, open.fd(), reader, buffer);
      if (pass.learning) {
        learnt(tail, at.stream(), pass);
      } else if (pass.run()) {
        if (pass.archive.isPresent() && pass.hasComparedAll()) {
          at.stream().comparedWithArchive();
          pass.reportUnstated();
        }
        // First: once it is compared, the stream may end and be forgotten.
        lanes.get(tail.lane()).saver().saveSoon(at.stream());
        if (pass.hasComparedAll()) {
          tail.compared(at.stream(), changes, pass.isUndeliverable);
        }
        queue.done(tail, pass.workedNanos, pass.limitBytes, pass.differs);
        if (claim.task() == ComparisonQueue.Task.LEARN) {
          tail.requestComparison(); // Of what was read meanwhile, and not at once.
        } else if (!pass.hasComparedAll()) {
          queue.again(tail);
        }
      } else {
        tail.comparisonFailed(at.stream(), changes);
        tail.suspect(); // It may have been truncated, which a worker finds.
      }
      problems.resolved(COMPARING);
    } catch (IOException | RuntimeException | Error e) {
      tail.comparisonFailed(at.stream(), changes);
      queue.again(tail);
      problems.report(
          COMPARING,
          tail.name() + " cannot be compared with what was delivered: " + e,
          Optional.of("it is tried again; what was replaced in it is not delivered meanwhile"),
          false);
    }
  }

  private void learnt(Tail tail, StreamProgress stream, Pass pass)
      throws IOException, InterruptedException {
    if (pass.run()) {
      lanes.get(tail.lane()).saver().saveSoon(stream);
      queue.learnt(tail, pass.workedNanos);
      if (pass.isUndeliverable) {
        stream.changedInPlace(true);
      }
      tail.requestComparison();
    } else {
      tail.suspect();
    }
  }

  /** One pass over a file. */
  private final class Pass {
    private final Tail tail;
    private final boolean urgent;
    private final boolean learning;
    private final Position at;
    private final StreamProgress stream;
    private final int fd;
    private final TailReader reader;
    private final byte[] buffer;
    private final boolean deliverable;
    private final boolean knownToBeChanged;
    private final long limitBytes;
    private final Optional<ArchiveComparison> archive;

    /** Where the bytes end that must be compared with the archive. */
    private final long archivedToBytes;

    private long workedNanos;
    private long unstatedBytes;

    /** Whether the file has the mtime that it was last read with, as the archive tells. */
    private boolean unwritten;

    private boolean differs;
    private boolean isUndeliverable;

    /** Whether the file was looked at after the bytes that are compared now were read. */
    private boolean lookedSinceRead;

    private boolean mayBeChanged;

    Pass(
        ComparisonQueue.Claim claim,
        BegunComparison begun,
        int fd,
        TailReader reader,
        byte[] buffer)
        throws IOException {
      this.tail = claim.tail();
      this.urgent = claim.urgent();
      this.at = begun.at();
      this.stream = at.stream();
      this.fd = fd;
      this.reader = reader;
      this.buffer = buffer;
      this.deliverable = lanes.get(tail.lane()).accepts().test(stream);
      this.knownToBeChanged = tail.isKnownToBeChanged();
      // What is not durable yet may be given up, and is read again then.
      this.limitBytes = Math.min(Math.min(stream.durableBytes(), at.bytes()), REMEMBERED_BYTES);
      begun.endsAt(limitBytes);
      Optional<ArchivedContent> archived = stream.archived();
      this.archive = archived.isPresent() ? Optional.of(with(archived.get())) : Optional.empty();
      this.archivedToBytes = archived.map(ArchivedContent::endBytes).orElse(0L);
      this.learning = claim.task() == ComparisonQueue.Task.LEARN && archive.isEmpty();
    }

    private ArchiveComparison with(ArchivedContent archived) throws IOException {
      long timeNanos = calls.fstat(fd).modificationTimeNanos();
      unwritten = archived.readWithNanos().equals(OptionalLong.of(timeNanos));
      return new ArchiveComparison(archived, unwritten, this::decided);
    }

    /**
     * Compares everything that is durable, or that of which no checksum is known; false when the
     * file may be at another stream by now.
     */
    boolean run() throws IOException, InterruptedException {
      stream.blocks().extendTo(limitBytes);
      Holes holes = new Holes(calls);
      holes.begin(fd, calls.fstat(fd));
      long offset = next(0);
      while (offset < limitBytes && !queue.isClosed()) {
        long zeroBlocks = holes.lengthAt(offset, limitBytes) / BlockSums.BLOCK_BYTES;
        lookedSinceRead = false;
        if (zeroBlocks > 0) {
          compareZeros(offset, zeroBlocks);
          offset = next(offset + zeroBlocks * BlockSums.BLOCK_BYTES);
          continue;
        }
        long startNanos = clocks.nanos();
        int wanted = (int) Math.min(READ_BYTES, limitBytes - offset);
        int count = reader.read(fd, offset, buffer, 0, wanted);
        if (count < wanted || isOtherStream()) {
          return false;
        }
        compare(offset, count);
        offset = next(offset + count);
        rest(clocks.nanos() - startNanos);
      }
      if (archive.isPresent() && hasComparedAll()) {
        archive.get().end(); // Else the next pass reads the rest of the ranges that are begun.
      }
      // Of what nobody remembers, it is only known that something was rewritten somewhere.
      isUndeliverable |= knownToBeChanged && !differs && at.bytes() > REMEMBERED_BYTES;
      return offset >= limitBytes && !isOtherStream();
    }

    private long next(long offset) {
      return learning && offset < limitBytes
          ? stream.blocks().nextUnknown(offset, limitBytes)
          : offset;
    }

    /**
     * Returns whether all was durable that had been read or that the archive has: else the rest is
     * still to be compared.
     */
    boolean hasComparedAll() {
      return limitBytes >= Math.min(Math.max(at.bytes(), archivedToBytes), REMEMBERED_BYTES);
    }

    private void compareZeros(long offset, long zeroBlocks) throws IOException {
      int first = BlockSums.blockOf(offset);
      for (int i = 0; i < zeroBlocks; i++) {
        int block = first + i;
        long toBytes = (block + 1L) * BlockSums.BLOCK_BYTES;
        compare(block, BlockRun.ZERO_BLOCK, toBytes);
        if (archive.isPresent()) {
          archive.get().addZeros(new ArchiveComparison.Block(block, BlockRun.ZERO_BLOCK, toBytes));
        }
      }
    }

    /** What is before the position and unchanged after a read was not truncated before it. */
    private boolean isOtherStream() throws IOException {
      return tail.stream() != stream
          || tail.isShrunk()
          || !at.marker().matches(calls, fd, at.bytes());
    }

    private void compare(long offset, int lengthBytes) throws IOException {
      for (int from = 0; from < lengthBytes; from += BlockSums.BLOCK_BYTES) {
        int length = Math.min(BlockSums.BLOCK_BYTES, lengthBytes - from);
        long sum = BlockRun.sumOf(buffer, from, length);
        int block = BlockSums.blockOf(offset + from);
        compare(block, sum, offset + from + length);
        if (archive.isPresent()) {
          archive
              .get()
              .add(new ArchiveComparison.Block(block, sum, offset + from + length), buffer, from);
        }
      }
    }

    private void compare(int block, long sum, long toBytes) throws IOException {
      BlockSums blocks = stream.blocks();
      switch (blocks.compare(block, sum, toBytes)) {
        case SAME -> blocks.foundSame(block);
        case OUTDATED -> foundOutdated(block);
        case DIFFERENT -> found(block);
        // Delivered once more: to take it for the same would be to lose a change.
        case OUTGROWN -> found(block);
        case UNKNOWN -> {
          if (archive.isPresent()) {
            return; // That decides, when it has read more.
          }
          if (mayBeChanged()) {
            found(block); // Nobody can tell whether it is this block that was replaced.
          } else {
            blocks.learn(block, sum, toBytes);
          }
        }
      }
    }

    /** Takes in what the archive tells of a block. */
    private void decided(
        ArchiveComparison.Block block, ArchiveComparison.Verdict verdict, boolean readSince)
        throws IOException {
      BlockSums blocks = stream.blocks();
      if (blocks.compare(block.number(), block.sum(), block.toBytes()) != Sameness.UNKNOWN) {
        return;
      }
      if (verdict == ArchiveComparison.Verdict.DIFFERENT || (readSince && mayBeChanged())) {
        found(block.number());
        return;
      }
      if (verdict == ArchiveComparison.Verdict.UNSTATED) {
        unstatedBytes += block.range().lengthBytes();
      }
      blocks.learn(block.number(), block.sum(), block.toBytes());
    }

    /** Says how much was taken for what was delivered, since the archive states nothing of it. */
    private void reportUnstated() {
      if (unstatedBytes > 0 && !unwritten) {
        problems.reportHarmless(
            UNSTATED,
            unstatedBytes
                + " bytes of "
                + tail.name()
                + " cannot be compared with what an earlier run has delivered",
            Optional.of(
                "nothing is wrong unless they were rewritten while no agent ran: then they are not"
                    + " delivered"),
            true);
      }
    }

    /**
     * Returns whether bytes may have been replaced before they were read now. A suspicion is
     * enough: once a block is learnt, nobody can find out any more that it was replaced.
     */
    private boolean mayBeChanged() throws IOException {
      if (!lookedSinceRead) {
        lookedSinceRead = true;
        // An append that is met halfway has grown the file at the next look.
        for (int look = 0; look < Tail.LOOKS_AT_APPEND && !mayBeChanged; look++) {
          if (!tail.mayBeChanged(calls.fstat(fd))) {
            return false;
          }
        }
        mayBeChanged = true;
      }
      return mayBeChanged;
    }

    /**
     * Has the same bytes delivered once more; where they cannot be, only the time is an older one.
     */
    private void foundOutdated(int block) {
      if (deliverable) {
        found(block);
      } else {
        stream.blocks().foundSame(block);
      }
    }

    private void found(int block) {
      differs = true;
      if (deliverable && block < BlockSums.MOST_BLOCKS) {
        stream.blocks().found(block, clocks.nanos());
      } else {
        isUndeliverable = true;
      }
    }

    private void rest(long tookNanos) throws InterruptedException {
      workedNanos += tookNanos;
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
