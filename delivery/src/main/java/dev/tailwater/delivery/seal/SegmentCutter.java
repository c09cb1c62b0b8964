package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.blocks.SharedBlock;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.staging.StagingBuffer;
import dev.tailwater.delivery.staging.StagingQuota;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.worker.Pace;
import dev.tailwater.io.read.Holes;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Optional;

/**
 * Cuts segments: reads to the end of the file or of the staging buffer, seals, and hands the
 * segment over. Belongs to one worker.
 */
final class SegmentCutter implements AutoCloseable {
  private final SealContext context;
  private final Clocks clocks;
  private final StagingQuota staging;
  private final SealPlan plan;
  private final LaneMeter meter;
  private final SegmentSealer sealer;
  private final SegmentSink sink;
  private final VerifiedReader blocks;
  private final Holes holes;
  private final BlockAppender appender;
  private final Pace pace;

  SegmentCutter(SealContext context, SegmentSealer sealer, VerifiedReader blocks, Pace pace) {
    this.context = context;
    this.clocks = context.clocks();
    this.staging = context.staging();
    this.plan = context.plan();
    this.meter = context.meter();
    this.sealer = sealer;
    this.blocks = blocks;
    this.holes = new Holes(context.calls());
    this.sink = new SegmentSink(sealer, context.blocks(), context.clocks().nanoClock());
    this.appender =
        new BlockAppender(context, sink, blocks, Optional.of(new HoleSkipper(holes, sealer)), pace);
    this.pace = pace;
  }

  /** Cuts the next segment of a claimed tail. */
  void cut(Cut cut) throws IOException, InterruptedException {
    holes.begin(cut.fd(), cut.status());
    Tail tail = cut.tail();
    // A file may be longer than any buffer; a segment then ends where a large buffer does.
    long wantedBytes = Math.min(cut.lengthBytes(), staging.largeBytes());
    sealer.use(plan.codec());
    int stagingBytes = sealer.stagingBytesFor(wantedBytes);
    StagingBuffer buffer = acquire(stagingBytes);
    boolean handedOver = false;
    try {
      switch (tail.file().turns().take(tail, cut.from())) {
        case TAKEN -> handedOver = sealInTurn(cut, buffer, stagingBytes);
        case MOVED, BUSY -> {}
      }
    } finally {
      if (!handedOver) {
        sink.abandon();
        sealer.abandon();
        staging.release(buffer);
      }
    }
    if (!handedOver) {
      // Without a buffer, so that there is room for the one that is handed over.
      tail.file().turns().await(cut.from());
    }
  }

  private StagingBuffer acquire(int wantedBytes) throws InterruptedException {
    meter.awaitingStaging().enter();
    try {
      return staging.acquire(wantedBytes);
    } finally {
      meter.awaitingStaging().leave();
    }
  }

  /** Seals and hands over to all destinations that are in step; false when nothing was sealed. */
  private boolean sealInTurn(Cut cut, StagingBuffer buffer, int stagingBytes)
      throws IOException, InterruptedException {
    Tail tail = cut.tail();
    Optional<LaneIntake.Offer> sealed = Optional.empty();
    meter.sealing().enter();
    try {
      sealed = sealed(cut, buffer, stagingBytes);
      return sealed.isPresent();
    } finally {
      meter.sealing().leave();
      Optional<LaneIntake.Offer> offer = sealed;
      tail.file()
          .turns()
          .end(cut.from(), () -> offer.ifPresent(o -> context.handover().handOver(tail, o)));
    }
  }

  private Optional<LaneIntake.Offer> sealed(Cut cut, StagingBuffer buffer, int stagingBytes)
      throws IOException, InterruptedException {
    Position from = cut.from();
    StreamProgress stream = from.stream();
    long limitBytes = cut.limitInStepBytes();
    long startNanos = clocks.nanos();
    byte[] staging = buffer.emptyWithRoom(stagingBytes);
    sealer.begin(staging, stream.agent(), stream.id(), stream.streamPrefix(), from.bytes());
    sink.begin(cut.dueNanos());
    long appendNanos =
        appender.append(
            limitBytes,
            context.streams().wholeLines().test(cut.tail().name()),
            () -> isShrunk(cut.tail()));
    if (blocks.positionBytes() == from.bytes()) {
      return Optional.empty();
    }
    Optional<HeldFrames> held =
        context.frames().keep(sealer.rawBytes(), sealer.encodedBytes(), sealer::encodedCopy);
    FileStatus status = cut.status();
    StreamProgress.Attributes attributes = stream.attributes();
    long sealedAtMillis = stream.tellableMillis(clocks.millis());
    stream.toldAt(sealedAtMillis);
    SealedSegment segment =
        sealer.finish(
            attributes.path(),
            status.modificationTimeNanos(),
            attributes.permissions(),
            attributes.owner(),
            attributes.place().arrivalNanos(),
            sealedAtMillis);
    plan.sealed(
        sealer.codec(),
        segment.range().lengthBytes(),
        segment.lengthBytes(),
        Math.max(1, appendNanos + sink.helpedNanos()),
        clocks.nanos() - startNanos - appendNanos);
    return Optional.of(
        new LaneIntake.Offer(
            segment,
            held,
            buffer,
            from,
            blocks.marker(),
            appender.read(),
            attributes,
            new LaneIntake.Seen(
                status,
                cut.sizeSeenAtNanos(),
                cut.isOverwritten(context.calls().fstat(cut.fd()), blocks.positionBytes())),
            new LaneIntake.Times(
                cut.sinceNanos(), cut.dueNanos() + pace.restedNanos(), sealedAtMillis)));
  }

  /** Compresses a block of another worker's segment. */
  void help(SharedBlock block) {
    meter.sealing().enter();
    try {
      sealer.use(block.codec());
      block.encode(sealer, clocks.nanoClock());
    } finally {
      meter.sealing().leave();
    }
  }

  private boolean isShrunk(Tail tail) throws ErrnoException {
    var _ = TailLook.refresh(tail, clocks.nanos(), clocks.millis());
    return tail.isShrunk();
  }

  @Override
  public void close() {
    sealer.close();
  }
}
