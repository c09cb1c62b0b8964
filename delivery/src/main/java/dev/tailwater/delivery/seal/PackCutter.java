package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.due.SegmentLimits;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.pack.PackGroups;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.staging.StagingBuffer;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.worker.Pace;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Optional;

/**
 * Fills packs: with the range of a tail that is due, with what waits to be said, and with what
 * other tails have by then, due or not. So there is one put for all of them in each {@code
 * max_age}. Belongs to one worker.
 */
final class PackCutter implements AutoCloseable {
  /** The worker asks after this many tails whether it may go on. */
  private static final int TAILS_AT_ONCE = 32;

  /** How long a short pack waits for the next file in a drain that has time. */
  private static final long LONGEST_WAIT_NANOS = SegmentLimits.TURN_NANOS / 2;

  /** How long a worker may fill a pack in such a drain. */
  private static final long LONGER_TURN_NANOS = 4 * SegmentLimits.TURN_NANOS;

  /** A pack without room for this much is full. */
  private static final long ROOM_BYTES = 64 * 1024;

  /** Room for at least one block that was replaced, beside the directory. */
  private static final long LEAST_REVISED_BYTES = 256 * 1024;

  /** About what a range takes in the directory. */
  private static final int ENTRY_BYTES = 256;

  private final SealContext context;
  private final CutAttempt attempt;
  private final Clocks clocks;
  private final PackStages packs;
  private final LaneMeter meter;
  private final PackSealer sealer;
  private final CutPlanner planner;
  private final VerifiedReader blocks;
  private final RewrittenBlocks rewritten;
  private final BlockAppender appender;
  private final Pace pace;

  /** How long the codec has worked for the present pack. */
  private long encodeNanos;

  /** The file as the last look while it was read has seen it. */
  private Optional<FileStatus> lastLook = Optional.empty();

  PackCutter(
      SealContext context,
      PackSink sink,
      CutPlanner planner,
      VerifiedReader blocks,
      RewrittenBlocks rewritten,
      Pace pace) {
    this.rewritten = rewritten;
    this.context = context;
    this.attempt = new CutAttempt(context);
    this.clocks = context.clocks();
    this.packs = context.packs();
    this.meter = context.meter();
    this.sealer = sink.sealer();
    this.planner = planner;
    this.blocks = blocks;
    this.pace = pace;
    this.appender = new BlockAppender(context, sink, blocks, Optional.empty(), pace);
  }

  /**
   * Returns whether a cut may go into a pack: it fills no segment, and a pack can tell whose it is.
   * What is to be read by lines stays in objects of its own unless packs are asked for.
   */
  static boolean takes(SealContext context, Cut cut) {
    PackStages packs = context.packs();
    return cut.limitInStepBytes() - cut.from().bytes() < context.queue().fullBytes(cut.tail())
        && packs.groups().accepts(cut.from().stream())
        && (packs.use().isAlwaysOn() || !context.streams().wholeLines().test(cut.tail().name()));
  }

  /**
   * Fills a pack and hands it over.
   *
   * @param first the tail that is due; claimed by the caller, and moved on if its cut is in the
   *     pack
   */
  void fill(Optional<Tail> first, long dueNanos) throws InterruptedException {
    PackGroups.Numbering numbering = packs.groups().begin();
    try {
      packs.notes().begun(numbering.id().group());
      StagingBuffer buffer = acquire(first);
      boolean handedOver = false;
      meter.sealing().enter();
      try {
        handedOver =
            fill(new PackTurn(sealer, numbering, packs.facts(), buffer, dueNanos), first, dueNanos);
      } catch (RuntimeException | Error e) {
        packs.groups().abandon(numbering.id().group()); // Its number may be gone.
        throw e;
      } finally {
        meter.sealing().leave();
        if (!handedOver) {
          context.staging().release(buffer);
        }
      }
    } finally {
      numbering.close();
    }
  }

  /** Fills a pack and hands it over; false when there was nothing to put into it. */
  private boolean fill(PackTurn turn, Optional<Tail> first, long dueNanos)
      throws InterruptedException {
    encodeNanos = 0;
    pace.held().beginPack(turn::giveUp);
    long startNanos = clocks.nanos();
    boolean handedOver = false;
    try {
      gather(turn, first, dueNanos);
      handedOver = pace.held().endPack() && finish(turn, startNanos);
    } finally {
      pace.held().endPack();
      if (!handedOver) {
        turn.abandon();
      }
    }
    return handedOver;
  }

  private StagingBuffer acquire(Optional<Tail> first) throws InterruptedException {
    long replacedBytes = first.map(tail -> tail.stream().blocks().revisingBytes()).orElse(0L);
    long otherBytes =
        (replacedBytes > 0 ? 2 * replacedBytes + LEAST_REVISED_BYTES : 0)
            + (long) ENTRY_BYTES * (context.queue().count() + packs.facts().size());
    long waitingBytes = ByteSum.of(context.queue().unreadBytes(), otherBytes);
    meter.awaitingStaging().enter();
    try {
      // A part of the buffer is for the directory.
      return context.staging().acquire(ByteSum.of(waitingBytes, waitingBytes));
    } finally {
      meter.awaitingStaging().leave();
    }
  }

  /** Adds what there is, until the pack is full or the turn is over. */
  private void gather(PackTurn turn, Optional<Tail> first, long dueNanos)
      throws InterruptedException {
    long startNanos = clocks.nanos() - pace.restedNanos();
    if (!turn.sayFacts()) {
      return;
    }
    if (first.isPresent() && !add(turn, first.get(), dueNanos)) {
      return;
    }
    for (int count = 1; !pace.held().isTakenAway() && !isOver(turn, startNanos); count++) {
      Optional<Tail> next =
          packs.isOn()
              ? context.queue().awaitEarly(clocks.nanos() + LONGEST_WAIT_NANOS)
              : context.queue().pollRewritten();
      if (next.isEmpty()) {
        break;
      }
      pace.held().read(next.get());
      // Before its bytes: that a file has left the path that this one has now, for example.
      if (!turn.sayFacts() || !add(turn, next.get(), dueNanos)) {
        return;
      }
      if (count % TAILS_AT_ONCE == 0 && !pace.mayGoOn()) {
        break;
      }
    }
    if (!pace.held().isTakenAway()) {
      turn.sayFacts();
    }
  }

  private boolean isOver(PackTurn turn, long startNanos) {
    long workedNanos = clocks.nanos() - pace.restedNanos() - startNanos;
    long turnNanos = context.queue().hasTime() ? LONGER_TURN_NANOS : SegmentLimits.TURN_NANOS;
    return context.queue().isClosed()
        || sealer.encodedBytes() >= context.plan().longestStagedBytes()
        || turn.rawBytes() >= SegmentLimits.READ_BYTES
        || workedNanos > turnNanos;
  }

  /** Adds the next range of a claimed tail, if it has one; false when it does not fit. */
  private boolean add(PackTurn turn, Tail tail, long dueNanos) throws InterruptedException {
    return attempt.run(
        tail,
        fd -> {
          Optional<Cut> cut = planner.plan(tail, fd, dueNanos);
          boolean fits = true;
          // What fills a segment of its own is left to the next claim.
          if (cut.isPresent() && packs.isOn() && takes(context, cut.get())) {
            fits = turn.accepts(cut.get().from().stream()) && add(turn, cut.get());
          }
          fits = fits && rewritten.add(turn, tail, fd);
          tail.tellTime(clocks.nanos(), false);
          context.deliverer().describe(tail.stream());
          return fits;
        },
        true);
  }

  private boolean add(PackTurn turn, Cut cut) throws IOException, InterruptedException {
    Tail tail = cut.tail();
    if (!tail.pin(cut.from())) {
      return true; // Another destination's worker has moved it on.
    }
    turn.begin(cut);
    boolean ended = false;
    try {
      encodeNanos +=
          appender.append(
              cut.limitBytes(),
              context.streams().wholeLines().test(tail.name()),
              () -> isShrunk(tail));
      long endBytes = blocks.positionBytes();
      if (endBytes > cut.from().bytes()) {
        boolean overwritten = cut.isOverwritten(statusAfterReading(cut), endBytes);
        ended = turn.end(cut, endBytes, blocks.marker(), appender.read(), overwritten);
        return ended && (endBytes == cut.limitBytes() || sealer.hasRoomFor(ROOM_BYTES));
      }
    } finally {
      if (!ended) {
        turn.drop();
      }
    }
    return sealer.hasRoomFor(Math.min(ROOM_BYTES, cut.lengthBytes()));
  }

  private boolean isShrunk(Tail tail) throws ErrnoException {
    lastLook = TailLook.refresh(tail, clocks.nanos(), clocks.millis());
    return tail.isShrunk();
  }

  private FileStatus statusAfterReading(Cut cut) throws ErrnoException {
    return blocks.hasLookedAfterReading() && lastLook.isPresent()
        ? lastLook.get()
        : context.calls().fstat(cut.fd());
  }

  /** Hands the pack over for delivery; false when there is nothing in it. */
  private boolean finish(PackTurn turn, long startNanos) {
    if (turn.isEmpty()) {
      return false;
    }
    SealedPack sealed = turn.seal(clocks.millis(), packs.keptBytes());
    context.handover().counters().sealed();
    if (packs.isOn()) { // Otherwise the codec is not the one that is tuned.
      context
          .plan()
          .sealed(
              packs.codec(),
              turn.rawBytes(),
              sealed.lengthBytes(),
              encodeNanos,
              clocks.nanos() - startNanos - encodeNanos);
    }
    PackedDelivery delivery =
        turn.delivery(sealed, pace.restedNanos(), () -> context.staging().release(turn.buffer()));
    context.deliverer().deliver(delivery, () -> turn.moveOver(sealed));
    turn.handedOver();
    return true;
  }

  @Override
  public void close() {
    sealer.close();
  }
}
