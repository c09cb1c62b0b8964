package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.FrameShare;
import dev.tailwater.delivery.deliver.HeldFrames;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.io.Marker;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Cuts one segment of one tail: reads from its position to the end of the file or of the staging
 * buffer, seals, and hands over, also to those destinations that need just this segment. Belongs to
 * one worker.
 */
final class SegmentCutter implements AutoCloseable {
  /** Smaller blocks to fill a staging buffer to its last byte would compress badly. */
  private static final int MIN_BLOCK_BYTES = 64 * 1024;

  private final FileCalls calls;
  private final StreamSuccession succession;
  private final StagingQuota staging;
  private final FrameShare frames;
  private final List<LaneIntake> lanes;
  private final DeliveryCounters counters;
  private final SealPlan plan;
  private final LaneMeter meter;
  private final Deliverer deliverer;
  private final LongSupplier nanoClock;
  private final LongSupplier clockMillis;
  private final SegmentSealer sealer;
  private final TailReader reader;
  private final VerifiedReader blocks;
  private final Holes holes;
  private final DueQueue queue;
  private final Pace pace;

  SegmentCutter(SealContext context, SegmentSealer sealer, Pace pace) {
    this.pace = pace;
    this.calls = context.calls();
    this.staging = context.staging();
    this.frames = context.frames();
    this.lanes = context.lanes();
    this.counters = context.counters();
    this.plan = context.plan();
    this.meter = context.meter();
    this.deliverer = context.deliverer();
    this.nanoClock = context.nanoClock();
    this.clockMillis = context.clockMillis();
    this.sealer = sealer;
    this.queue = context.queue();
    this.holes = new Holes(calls);
    this.reader = new TailReader(calls);
    this.succession = new StreamSuccession(context, reader);
    this.blocks = new VerifiedReader(reader, sealer.blockBytes());
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
    long sizeSeenAtNanos = nanoClock.getAsLong();
    Optional<FileStatus> seen = tail.refreshForReading(sizeSeenAtNanos, clockMillis.getAsLong());
    if (seen.isEmpty()) {
      return; // Closed meanwhile; the watch opens it again if it is still there.
    }
    FileStatus status = succession.resume(tail, fd, seen.get());
    Position at = tail.position();
    if (tail.isShrunk() || !blocks.begin(fd, at.bytes(), at.marker())) {
      if (!tail.pin(at)) {
        return; // Moved on by another worker, so there is another place to look at.
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
        seal(tail, from, status, limitBytes, new Times(sinceNanos, dueNanos, sizeSeenAtNanos));
      }
    } else if (status.sizeBytes() == 0) {
      tail.stream().seenEmpty();
      tail.emptyTold();
    }
    deliverer.describe(tail.stream());
  }

  private void skipWhatIsHeld(Tail tail, int fd, long sizeBytes) throws IOException {
    Position at = tail.position();
    long startBytes = at.stream().nextMissing(at.bytes()).startBytes();
    if (startBytes > at.bytes() && startBytes <= sizeBytes && tail.pin(at)) {
      Marker before = Marker.before(calls, fd, startBytes);
      // It counts only if the file was not truncated before it was taken.
      if (blocks.begin(fd, at.bytes(), at.marker())) {
        tail.resumeAt(startBytes, before);
      }
    }
  }

  private record Times(long sinceNanos, long dueNanos, long sizeSeenAtNanos) {}

  private void seal(Tail tail, Position from, FileStatus status, long limitBytes, Times times)
      throws IOException, InterruptedException {
    // A file may be longer than any array; what fits no large buffer is cut at the end of one.
    long wantedBytes = Math.min(limitBytes - from.bytes(), staging.largeBytes());
    sealer.use(plan.codec());
    StagingBuffer buffer = acquire(sealer.stagingBytesFor(wantedBytes));
    boolean handedOver = false;
    try {
      switch (tail.file().turns().take(tail, from)) {
        case TAKEN -> handedOver = sealInTurn(tail, from, status, limitBytes, times, buffer);
        case MOVED, BUSY -> {}
      }
    } finally {
      if (!handedOver) {
        sealer.abandon();
        staging.release(buffer);
      }
    }
    if (!handedOver) {
      // Without a buffer of its own, since there must be room for the one that is handed over.
      tail.file().turns().await(from);
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

  /** Seals and hands over to all who are in step; whether there was something to hand over. */
  private boolean sealInTurn(
      Tail tail,
      Position from,
      FileStatus status,
      long limitBytes,
      Times times,
      StagingBuffer buffer)
      throws IOException, InterruptedException {
    Optional<LaneIntake.Offer> sealed = Optional.empty();
    meter.sealing().enter();
    try {
      sealed = sealed(tail, from, status, endOf(tail, from, limitBytes), times, buffer);
      return sealed.isPresent();
    } finally {
      meter.sealing().leave();
      Optional<LaneIntake.Offer> offer = sealed;
      tail.file().turns().end(from, () -> offer.ifPresent(o -> handOver(tail, o)));
    }
  }

  /**
   * Where other destinations of the same stream stand, segments end: so those who have fallen out
   * of step come into it again.
   */
  private static long endOf(Tail tail, Position from, long limitBytes) {
    long endBytes = limitBytes;
    for (Tail other : tail.file().tails()) {
      Position there = other.position();
      if (other != tail
          && there.bytes() > from.bytes()
          && there.stream().streamPrefix().equals(from.stream().streamPrefix())) {
        endBytes = Math.min(endBytes, there.bytes());
      }
    }
    return endBytes;
  }

  private Optional<LaneIntake.Offer> sealed(
      Tail tail,
      Position from,
      FileStatus status,
      long limitBytes,
      Times times,
      StagingBuffer buffer)
      throws IOException, InterruptedException {
    StreamProgress stream = from.stream();
    long startNanos = nanoClock.getAsLong();
    sealer.begin(buffer.bytes(), stream.agent(), stream.id(), stream.streamPrefix(), from.bytes());
    long encodeNanos = append(limitBytes, () -> isShrunk(tail));
    if (blocks.positionBytes() == from.bytes()) {
      return Optional.empty();
    }
    Optional<HeldFrames> held =
        frames.keep(sealer.rawBytes(), sealer.encodedBytes(), sealer::encodedCopy);
    SealedSegment segment =
        sealer.finish(
            stream.path(),
            status.modificationTimeNanos(),
            status.permissions(),
            clockMillis.getAsLong());
    counters.sealed();
    plan.sealed(
        sealer.codec(),
        segment.range().lengthBytes(),
        segment.lengthBytes(),
        encodeNanos,
        nanoClock.getAsLong() - startNanos - encodeNanos);
    return Optional.of(
        new LaneIntake.Offer(
            segment,
            held,
            buffer,
            from,
            blocks.marker(),
            status,
            times.sizeSeenAtNanos(),
            times.sinceNanos(),
            times.dueNanos() + pace.restedNanos()));
  }

  private boolean isShrunk(Tail tail) throws ErrnoException {
    var _ = tail.refresh(nanoClock.getAsLong(), clockMillis.getAsLong());
    return tail.isShrunk();
  }

  private void handOver(Tail tail, LaneIntake.Offer offer) {
    SealedSegment segment = offer.segment();
    long endBytes = segment.range().endBytes();
    // The others first: the buffer is free when the last one who holds it lets go of it; and
    // should that fail, this tail has not moved on over bytes that nobody delivers for it.
    for (Tail other : tail.file().tails()) {
      if (other != tail) {
        lanes.get(other.lane()).take(other, offer);
      }
    }
    tail.compressed(segment.range().lengthBytes(), segment.lengthBytes());
    tail.advance(
        endBytes,
        offer.markerAtEnd(),
        endBytes < offer.status().sizeBytes(),
        offer.statusAtNanos());
    deliverer.deliver(
        new Delivery(
            segment,
            offer.frames(),
            offer.from().stream(),
            offer.markerAtEnd(),
            offer.sinceNanos(),
            offer.dueNanos(),
            () -> staging.release(offer.buffer())));
  }

  /**
   * Appends block after block, as long as there is room and the pace allows; how long that has
   * taken the codec, in nanoseconds.
   */
  private long append(long limitBytes, VerifiedReader.Look look)
      throws IOException, InterruptedException {
    long encodeNanos = 0;
    Turn turn = new Turn(nanoClock.getAsLong() - pace.restedNanos());
    while (blocks.positionBytes() < limitBytes
        && sealer.encodedBytes() < plan.longestStagedBytes()
        && !turn.isOver()) {
      long holeBytes = holes.lengthAt(blocks.positionBytes(), limitBytes);
      if (holeBytes > 0) {
        if (!appendHole(holeBytes, look)) {
          return encodeNanos;
        }
        continue;
      }
      int wanted = (int) Math.min(sealer.blockBytes(), limitBytes - blocks.positionBytes());
      while (!sealer.hasRoomFor(wanted)) {
        wanted /= 2;
        if (wanted < MIN_BLOCK_BYTES) {
          return encodeNanos;
        }
      }
      int length = blocks.next(wanted, look);
      if (length <= 0) {
        return encodeNanos; // Truncated meanwhile; the next cut sees it by size or marker.
      }
      if (length >= MIN_BLOCK_BYTES && plan.wantsSample()) {
        plan.sample(blocks.array(), blocks.from(), length);
      }
      long startNanos = nanoClock.getAsLong();
      sealer.append(blocks.array(), blocks.from(), length);
      encodeNanos += nanoClock.getAsLong() - startNanos;
      blocks.advance(length);
      turn.readBytes += length;
      if (blocks.positionBytes() < limitBytes && !pace.mayGoOn()) {
        return encodeNanos; // Somebody else goes on there.
      }
    }
    return encodeNanos;
  }

  /** False when the segment ends before it. */
  private boolean appendHole(long holeBytes, VerifiedReader.Look look) throws ErrnoException {
    long wanted = Math.min(holeBytes, SegmentLimits.SPARSE_BYTES - sealer.rawBytes());
    // Appended only when they are proven: what is in the sealer cannot be taken back.
    long fitting = Math.min(wanted, sealer.zerosFitting());
    if (fitting < Holes.MIN_BYTES || !blocks.skipZeros(fitting, look)) {
      return false;
    }
    sealer.appendZeros(fitting);
    return true;
  }

  /** What was done for one segment, so that others get theirs. */
  private final class Turn {
    private final long startNanos;
    private long readBytes;

    Turn(long startNanos) {
      this.startNanos = startNanos;
    }

    /** A queue that is closed waits for what was claimed: a drain is at its end. */
    boolean isOver() {
      long workedNanos = nanoClock.getAsLong() - pace.restedNanos() - startNanos;
      return readBytes >= SegmentLimits.READ_BYTES
          || sealer.rawBytes() >= SegmentLimits.SPARSE_BYTES
          || (sealer.rawBytes() > 0
              && (queue.isClosed()
                  || (workedNanos > SegmentLimits.TURN_NANOS && queue.isAnyDue())));
    }
  }

  @Override
  public void close() {
    sealer.close();
    reader.close();
  }
}
