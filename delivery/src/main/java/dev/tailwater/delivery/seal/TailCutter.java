package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.blocks.SharedBlock;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.worker.Cutter;
import dev.tailwater.delivery.worker.Pace;
import dev.tailwater.io.read.TailReader;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Cuts what is due: a segment where there is enough of one file, else a pack. Belongs to one
 * worker.
 */
final class TailCutter implements Cutter {
  private final SealContext context;
  private final CutAttempt attempt;
  private final TailReader reader;
  private final CutPlanner planner;
  private final SegmentCutter segments;
  private final Supplier<PackSealer> packSealers;
  private final VerifiedReader blocks;
  private final int blockBytes;
  private final Pace pace;
  private Optional<PackCutter> packs = Optional.empty();

  /**
   * Creates a cutter.
   *
   * @param packSealers makes a sealer when the first pack is filled
   */
  TailCutter(
      SealContext context, SegmentSealer sealer, Supplier<PackSealer> packSealers, Pace pace) {
    this.context = context;
    this.attempt = new CutAttempt(context);
    this.reader = new TailReader(context.calls());
    this.blockBytes = sealer.blockBytes();
    this.blocks = new VerifiedReader(reader, blockBytes);
    this.packSealers = packSealers;
    this.pace = pace;
    this.planner = new CutPlanner(context, reader, blocks);
    this.segments = new SegmentCutter(context, sealer, blocks, pace);
  }

  private PackCutter packs() {
    if (packs.isEmpty()) {
      packs =
          Optional.of(
              new PackCutter(
                  context,
                  new PackSink(packSealers.get(), blockBytes),
                  planner,
                  blocks,
                  new RewrittenBlocks(context, reader),
                  pace));
    }
    return packs.get();
  }

  /**
   * Returns whether a cut goes into a pack: it fills no segment, and a pack can tell whose it is.
   */
  private boolean isForPack(Cut cut) {
    return PackCutter.takes(context, cut)
        && context.packs().use().takes(cut.from().stream().streamPrefix(), context.queue().count());
  }

  @Override
  public void cut(DueQueue.Claim claim) throws InterruptedException {
    if (claim.tail().isEmpty()) {
      fillPack(Optional.empty(), claim.dueNanos());
    } else if (!cutSegment(claim.tail().get(), claim.dueNanos())
        || claim.tail().get().work().hasRewritten()) {
      fillPack(claim.tail(), claim.dueNanos());
    }
  }

  /** Cuts a segment, if the tail has one; false when what it has belongs into a pack. */
  private boolean cutSegment(Tail tail, long dueNanos) throws InterruptedException {
    return attempt.run(
        tail,
        fd -> {
          Optional<Cut> cut = planner.plan(tail, fd, dueNanos);
          if (cut.isPresent() && isForPack(cut.get())) {
            return false;
          }
          if (cut.isPresent()) {
            segments.cut(cut.get());
          }
          tail.tellTime(context.clocks().nanos(), false);
          context.deliverer().describe(tail.stream());
          return true;
        },
        true);
  }

  @Override
  public void help(SharedBlock block) {
    segments.help(block);
  }

  private void fillPack(Optional<Tail> first, long dueNanos) throws InterruptedException {
    packs().fill(first, dueNanos);
  }

  @Override
  public void close() {
    segments.close();
    packs.ifPresent(PackCutter::close);
    reader.close();
  }
}
