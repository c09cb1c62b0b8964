package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.io.read.TailReader;
import java.util.Optional;

/**
 * Cuts what is due: a segment where there is enough of one file, else a pack. Belongs to one
 * worker.
 */
final class TailCutter implements AutoCloseable {
  private final SealContext context;
  private final CutAttempt attempt;
  private final TailReader reader;
  private final CutPlanner planner;
  private final SegmentCutter segments;
  private final Optional<PackCutter> packs;

  /**
   * Creates a cutter.
   *
   * @param packSealer empty: everything goes into segments
   */
  TailCutter(
      SealContext context, SegmentSealer sealer, Optional<PackSealer> packSealer, Pace pace) {
    this.context = context;
    this.attempt = new CutAttempt(context);
    this.reader = new TailReader(context.calls());
    VerifiedReader blocks = new VerifiedReader(reader, sealer.blockBytes());
    this.planner = new CutPlanner(context, new StreamSuccession(context, reader), blocks);
    this.segments = new SegmentCutter(context, sealer, blocks, pace);
    this.packs =
        packSealer.map(
            packed ->
                new PackCutter(
                    context, new PackSink(packed, sealer.blockBytes()), planner, blocks, pace));
  }

  /** Cuts what the worker has claimed, if there is anything to cut. */
  void cut(DueQueue.Claim claim) throws InterruptedException {
    if (claim.tail().isEmpty()) {
      fillPack(Optional.empty(), claim.dueNanos());
    } else if (!cutSegment(claim.tail().get(), claim.dueNanos())) {
      fillPack(claim.tail(), claim.dueNanos());
    }
  }

  /** Cuts a segment, if the tail has one; false when what it has belongs into a pack. */
  private boolean cutSegment(Tail tail, long dueNanos) throws InterruptedException {
    return attempt.run(
        tail,
        fd -> {
          Optional<Cut> cut = planner.plan(tail, fd, dueNanos);
          if (cut.isPresent() && packs.isPresent() && packs.get().takes(cut.get())) {
            return false;
          }
          if (cut.isPresent()) {
            segments.cut(cut.get());
          }
          context.deliverer().describe(tail.stream());
          return true;
        },
        true);
  }

  private void fillPack(Optional<Tail> first, long dueNanos) throws InterruptedException {
    if (packs.isPresent()) {
      packs.get().fill(first, dueNanos);
    }
  }

  @Override
  public void close() {
    segments.close();
    packs.ifPresent(PackCutter::close);
    reader.close();
  }
}
