package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.io.Marker;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Optional;

/**
 * Cuts the next segment of a tail: finds where to read from, reads to the end of the file or of the
 * staging buffer, seals, and hands the segment over. Belongs to one worker.
 */
final class SegmentCutter implements AutoCloseable {
  private final SealContext context;
  private final Clocks clocks;
  private final StagingQuota staging;
  private final SealPlan plan;
  private final LaneMeter meter;
  private final SegmentSealer sealer;
  private final TailReader reader;
  private final StreamSuccession succession;
  private final VerifiedReader blocks;
  private final Holes holes;
  private final BlockAppender appender;
  private final Pace pace;

  SegmentCutter(SealContext context, SegmentSealer sealer, Pace pace) {
    this.context = context;
    this.clocks = context.clocks();
    this.staging = context.staging();
    this.plan = context.plan();
    this.meter = context.meter();
    this.sealer = sealer;
    this.reader = new TailReader(context.calls());
    this.succession = new StreamSuccession(context, reader);
    this.blocks = new VerifiedReader(reader, sealer.blockBytes());
    this.holes = new Holes(context.calls());
    this.appender = new BlockAppender(context, sealer, blocks, holes, pace);
    this.pace = pace;
  }

  /** Cuts the next segment of a claimed tail, if it has one. */
  void cut(Tail tail, int fd, long dueNanos) throws IOException, InterruptedException {
    try {
      cutNext(tail, fd, dueNanos);
    } finally {
      tail.unpin();
    }
  }

  private void cutNext(Tail tail, int fd, long dueNanos) throws IOException, InterruptedException {
    long sizeSeenAtNanos = clocks.nanos();
    Optional<FileStatus> seen = tail.refreshForReading(sizeSeenAtNanos, clocks.millis());
    if (seen.isEmpty()) {
      return; // Closed meanwhile; the watch opens it again if it is still there.
    }
    FileStatus status = succession.resume(tail, fd, seen.get());
    Position at = tail.position();
    if (tail.isShrunk() || !blocks.begin(fd, at.bytes(), at.marker())) {
      if (!tail.pin(at)) {
        return; // Another worker has moved it on, so this position says nothing any more.
      }
      Optional<FileStatus> next = succession.afterTruncation(tail, fd);
      if (next.isEmpty() || tail.isShrunk()) {
        return; // Closed, or truncated once more: the next cut begins with that.
      }
      status = next.get();
    }
    tail.confirm(status.sizeBytes());
    skipWhatIsHeld(tail, fd, status.sizeBytes());
    Position from = tail.position();
    ByteRange missing = from.stream().nextMissing(from.bytes());
    long limitBytes = Math.min(status.sizeBytes(), missing.endBytes());
    if (limitBytes > from.bytes()) {
      if (blocks.begin(fd, from.bytes(), from.marker())) {
        holes.begin(fd, status);
        long sinceNanos = tail.unreadSinceNanos().orElse(sizeSeenAtNanos);
        seal(new Cut(tail, from, status, limitBytes, sinceNanos, dueNanos, sizeSeenAtNanos));
      }
    } else if (status.sizeBytes() == 0) {
      tail.stream().seenEmpty();
    }
    context.deliverer().describe(tail.stream());
  }

  /** Moves the position over what the destination holds already. */
  private void skipWhatIsHeld(Tail tail, int fd, long sizeBytes) throws IOException {
    Position at = tail.position();
    long startBytes = at.stream().nextMissing(at.bytes()).startBytes();
    if (startBytes > at.bytes() && startBytes <= sizeBytes && tail.pin(at)) {
      Marker before = Marker.before(context.calls(), fd, startBytes);
      // It counts only if the file was not truncated before it was taken.
      if (blocks.begin(fd, at.bytes(), at.marker())) {
        tail.resumeAt(startBytes, before);
      }
    }
  }

  /**
   * What is to be cut.
   *
   * @param status of the file, as it was seen before anything was read
   * @param limitBytes where the segment ends at the latest
   * @param sinceNanos when the first of its bytes was seen in the file
   */
  private record Cut(
      Tail tail,
      Position from,
      FileStatus status,
      long limitBytes,
      long sinceNanos,
      long dueNanos,
      long sizeSeenAtNanos) {}

  private void seal(Cut cut) throws IOException, InterruptedException {
    Tail tail = cut.tail();
    // A file may be longer than any buffer; a segment then ends where a large buffer does.
    long wantedBytes = Math.min(cut.limitBytes() - cut.from().bytes(), staging.largeBytes());
    sealer.use(plan.codec());
    StagingBuffer buffer = acquire(sealer.stagingBytesFor(wantedBytes));
    boolean handedOver = false;
    try {
      switch (tail.file().turns().take(tail, cut.from())) {
        case TAKEN -> handedOver = sealInTurn(cut, buffer);
        case MOVED, BUSY -> {}
      }
    } finally {
      if (!handedOver) {
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
  private boolean sealInTurn(Cut cut, StagingBuffer buffer)
      throws IOException, InterruptedException {
    Tail tail = cut.tail();
    Optional<LaneIntake.Offer> sealed = Optional.empty();
    meter.sealing().enter();
    try {
      sealed = sealed(cut, buffer);
      return sealed.isPresent();
    } finally {
      meter.sealing().leave();
      Optional<LaneIntake.Offer> offer = sealed;
      tail.file()
          .turns()
          .end(cut.from(), () -> offer.ifPresent(o -> context.handover().handOver(tail, o)));
    }
  }

  /**
   * Returns where the segment ends at the latest: at the next position of another destination's
   * tail of the same stream, so that tails that have fallen out of step get back into it.
   */
  private static long endOf(Cut cut) {
    long endBytes = cut.limitBytes();
    Position from = cut.from();
    for (Tail other : cut.tail().file().tails()) {
      Position there = other.position();
      if (other != cut.tail()
          && there.bytes() > from.bytes()
          && there.stream().streamPrefix().equals(from.stream().streamPrefix())) {
        endBytes = Math.min(endBytes, there.bytes());
      }
    }
    return endBytes;
  }

  private Optional<LaneIntake.Offer> sealed(Cut cut, StagingBuffer buffer)
      throws IOException, InterruptedException {
    Position from = cut.from();
    StreamProgress stream = from.stream();
    long limitBytes = endOf(cut);
    long startNanos = clocks.nanos();
    sealer.begin(buffer.bytes(), stream.agent(), stream.id(), stream.streamPrefix(), from.bytes());
    long encodeNanos =
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
    SealedSegment segment =
        sealer.finish(
            stream.path(), status.modificationTimeNanos(), status.permissions(), clocks.millis());
    plan.sealed(
        sealer.codec(),
        segment.range().lengthBytes(),
        segment.lengthBytes(),
        encodeNanos,
        clocks.nanos() - startNanos - encodeNanos);
    return Optional.of(
        new LaneIntake.Offer(
            segment,
            held,
            buffer,
            from,
            blocks.marker(),
            new LaneIntake.Seen(status, cut.sizeSeenAtNanos()),
            new LaneIntake.Times(cut.sinceNanos(), cut.dueNanos() + pace.restedNanos())));
  }

  private boolean isShrunk(Tail tail) throws ErrnoException {
    var _ = tail.refresh(clocks.nanos(), clocks.millis());
    return tail.isShrunk();
  }

  @Override
  public void close() {
    sealer.close();
    reader.close();
  }
}
