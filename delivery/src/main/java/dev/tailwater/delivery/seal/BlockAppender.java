package dev.tailwater.delivery.seal;

import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.due.SegmentLimits;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.worker.Pace;
import dev.tailwater.posix.ErrnoException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Appends a file's bytes to the segment or pack that is being sealed, block by block, until that is
 * full or its turn is over. Belongs to one worker.
 */
final class BlockAppender {
  /** Smaller blocks, to fill a staging buffer to its last byte, would compress badly. */
  private static final int MIN_BLOCK_BYTES = 64 * 1024;

  private final BlockSink sealer;
  private final VerifiedReader blocks;
  private final Optional<HoleSkipper> holes;
  private final SealPlan plan;
  private final Pace pace;
  private final DueQueue queue;
  private final LongSupplier nanoClock;

  /** How long the sink has taken for what was appended last. */
  private long sinkNanos;

  /** The checksums of what was appended last. */
  private BlockRun read = new BlockRun(0);

  /** Whether what was appended last ends with a newline, as far as that matters. */
  private boolean endsLine;

  /**
   * Creates an appender.
   *
   * @param holes empty: holes in the file are read like other bytes
   */
  BlockAppender(
      SealContext context,
      BlockSink sealer,
      VerifiedReader blocks,
      Optional<HoleSkipper> holes,
      Pace pace) {
    this.sealer = sealer;
    this.blocks = blocks;
    this.holes = holes;
    this.plan = context.plan();
    this.pace = pace;
    this.queue = context.queue();
    this.nanoClock = context.clocks().nanoClock();
  }

  /**
   * Appends blocks as long as there is room and the pace allows.
   *
   * @param limitBytes the offset in the file at which the segment ends at the latest
   * @param wholeLines whether it ends at the end of a line, if there is one to end at
   * @return how long that has taken the sink, in nanoseconds
   */
  long append(long limitBytes, boolean wholeLines, VerifiedReader.Look look)
      throws IOException, InterruptedException {
    sinkNanos = 0;
    appendBlocks(limitBytes, wholeLines, look);
    settle();
    return sinkNanos;
  }

  private void settle() throws InterruptedException {
    long startNanos = nanoClock.getAsLong();
    sealer.settle();
    sinkNanos += nanoClock.getAsLong() - startNanos;
  }

  private void appendBlocks(long limitBytes, boolean wholeLines, VerifiedReader.Look look)
      throws IOException, InterruptedException {
    read = new BlockRun(blocks.positionBytes());
    Turn turn = new Turn(nanoClock.getAsLong() - pace.restedNanos());
    while (blocks.positionBytes() < limitBytes
        && sealer.encodedBytes() < plan.longestStagedBytes()
        && !turn.isOver()) {
      long holeBytes = holeBytes(limitBytes);
      if (holeBytes > 0) {
        settle();
        long zeros = holes.orElseThrow().append(holeBytes, blocks, look);
        if (zeros == 0) {
          return;
        }
        read.addZeros(zeros);
        endsLine = false;
        continue;
      }
      int wanted = (int) Math.min(sealer.blockBytes(), limitBytes - blocks.positionBytes());
      while (!sealer.makeRoomFor(wanted)) {
        wanted /= 2;
        if (wanted < MIN_BLOCK_BYTES) {
          return;
        }
      }
      int length = blocks.next(wanted, look);
      if (length < 0 || (length == 0 && turn.readBytes > 0)) {
        return; // Truncated meanwhile; the next cut finds that by size or marker.
      }
      if (length == 0) {
        length = nextAgain(wanted, limitBytes, look);
        if (length < 0) {
          return;
        }
      }
      if (wholeLines) {
        length = wholeLinesOf(length, limitBytes);
        if (length == 0) {
          return;
        }
      }
      if (length >= MIN_BLOCK_BYTES && plan.wantsSample()) {
        plan.sample(blocks.array(), blocks.from(), length);
      }
      long startNanos = nanoClock.getAsLong();
      byte[] next = sealer.append(blocks.array(), blocks.from(), length);
      sinkNanos += nanoClock.getAsLong() - startNanos;
      read.add(blocks.array(), blocks.from(), length);
      blocks.advance(length, next);
      turn.readBytes += length;
      if (blocks.positionBytes() < limitBytes && !pace.mayGoOn()) {
        return; // Another worker reads on from there.
      }
    }
  }

  /**
   * Reads a block again that was empty, since the file may have been truncated and written anew. If
   * it is still empty, the size of the file is not what can be read of it, as in sysfs: to try it
   * at once again would be in vain.
   */
  private int nextAgain(int wantedBytes, long limitBytes, VerifiedReader.Look look)
      throws IOException {
    int length = blocks.next(wantedBytes, look);
    if (length == 0) {
      throw new ShortFileException(blocks.positionBytes(), limitBytes);
    }
    return length;
  }

  /** Returns the checksums of what was appended last. */
  BlockRun read() {
    return read;
  }

  /**
   * Returns how much of the block that was just read goes into the segment; 0 when the segment ends
   * before it.
   */
  private int wholeLinesOf(int lengthBytes, long limitBytes) {
    if (blocks.positionBytes() + lengthBytes >= limitBytes && queue.isHurried()) {
      return lengthBytes; // Another segment for the rest would cost more than it is worth.
    }
    int whole = LineEnds.lastLineEnd(blocks.array(), blocks.from(), lengthBytes);
    if (whole > 0) {
      endsLine = true;
      return whole;
    }
    // What may be the beginning of a line waits for the next segment, where it is the first.
    if (endsLine && sealer.rawBytes() > 0 && lengthBytes < LineEnds.LONGEST_LINE_BYTES) {
      return 0;
    }
    endsLine = false;
    return lengthBytes;
  }

  private long holeBytes(long limitBytes) throws ErrnoException {
    return holes.isPresent() ? holes.get().lengthAt(blocks.positionBytes(), limitBytes) : 0;
  }

  /** What was done for one segment, so that other files get their turn. */
  private final class Turn {
    private final long startNanos;
    private long readBytes;

    Turn(long startNanos) {
      this.startNanos = startNanos;
    }

    /** Returns whether the segment must end; a closed queue belongs to a drain at its end. */
    boolean isOver() {
      long workedNanos = nanoClock.getAsLong() - pace.restedNanos() - startNanos;
      return readBytes >= SegmentLimits.READ_BYTES
          || sealer.rawBytes() >= SegmentLimits.SPARSE_BYTES
          || (sealer.rawBytes() > 0
              && (queue.isClosed()
                  || (workedNanos > SegmentLimits.TURN_NANOS && queue.isAnyDue())));
    }
  }
}
