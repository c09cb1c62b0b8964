package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.SealedSegment;
import dev.tailwater.archive.SegmentSealer;
import dev.tailwater.archive.StreamRecord;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.Ending;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.io.Marker;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Cuts one segment of one tail: reads from its position to the end of the file or of the staging
 * buffer, seals, and hands over. Belongs to one worker.
 */
final class SegmentCutter implements AutoCloseable {
  /** Smaller blocks to fill a staging buffer to its last byte would compress badly. */
  private static final int MIN_BLOCK_BYTES = 64 * 1024;

  private final String agent;
  private final FileCalls calls;
  private final Resumption resumption;
  private final StagingPool staging;
  private final Deliverer deliverer;
  private final CheckpointStore checkpoints;
  private final Problems problems;
  private final LongSupplier nanoClock;
  private final LongSupplier clockMillis;
  private final SegmentSealer sealer;
  private final TailReader reader;
  private final VerifiedReader blocks;

  SegmentCutter(SealContext context, SegmentSealer sealer) {
    this.agent = context.agent();
    this.calls = context.calls();
    this.resumption = context.resumption();
    this.staging = context.staging();
    this.deliverer = context.deliverer();
    this.checkpoints = context.checkpoints();
    this.problems = context.problems();
    this.nanoClock = context.nanoClock();
    this.clockMillis = context.clockMillis();
    this.sealer = sealer;
    this.reader = new TailReader(calls);
    this.blocks = new VerifiedReader(reader, sealer.blockBytes());
  }

  /** Cuts the next segment of a claimed tail, if it has one. */
  void cut(Tail tail, int fd, long dueNanos) throws IOException, InterruptedException {
    long sizeSeenAtNanos = nanoClock.getAsLong();
    Optional<FileStatus> seen = tail.refreshForReading(sizeSeenAtNanos, clockMillis.getAsLong());
    if (seen.isEmpty()) {
      return; // Closed meanwhile; the watch opens it again if it is still there.
    }
    FileStatus status = seen.get();
    while (!tail.isResumed()) {
      if (!resumption.resume(tail, fd, reader, status.sizeBytes())) {
        // What this run has seen of the size belongs to the file as it is now.
        beginNextStream(tail, status, tail.stream().durableBytes(), false);
      }
    }
    boolean truncated = tail.isShrunk() || !blocks.begin(fd, tail.positionBytes(), tail.marker());
    if (truncated) {
      // The size that was seen may be the old stream's; it must not be expected of the new one.
      status = calls.fstat(fd);
      beginNextStream(tail, status, tail.sizeBeforeTruncationBytes(), true);
    }
    tail.confirm(status.sizeBytes());
    skipWhatIsHeld(tail, fd, status.sizeBytes());
    ByteRange missing = tail.stream().nextMissing(tail.positionBytes());
    long limitBytes = Math.min(status.sizeBytes(), missing.endBytes());
    if (limitBytes > tail.positionBytes()) {
      if (blocks.begin(fd, tail.positionBytes(), tail.marker())) {
        seal(tail, status, limitBytes, dueNanos, sizeSeenAtNanos);
      }
    } else if (status.sizeBytes() == 0) {
      tail.stream().seenEmpty();
      tail.emptyTold();
    }
    deliverer.describe(tail.stream());
  }

  private void skipWhatIsHeld(Tail tail, int fd, long sizeBytes) throws IOException {
    long startBytes = tail.stream().nextMissing(tail.positionBytes()).startBytes();
    if (startBytes > tail.positionBytes() && startBytes <= sizeBytes) {
      tail.resumeAt(startBytes, Marker.before(calls, fd, startBytes));
    }
  }

  private void seal(
      Tail tail, FileStatus status, long limitBytes, long dueNanos, long sizeSeenAtNanos)
      throws IOException, InterruptedException {
    long startBytes = tail.positionBytes();
    StreamProgress stream = tail.stream();
    // A file may be longer than any array; what fits no large buffer is cut at the end of one.
    long wantedBytes = Math.min(limitBytes - startBytes, staging.largeBytes());
    byte[] buffer = staging.acquire(sealer.stagingBytesFor(wantedBytes));
    boolean handedOver = false;
    try {
      sealer.begin(buffer, stream.agent(), stream.id(), stream.streamPrefix(), startBytes);
      boolean full = append(limitBytes);
      long endBytes = blocks.positionBytes();
      if (endBytes == startBytes) {
        return;
      }
      SealedSegment segment =
          sealer.finish(
              stream.path(),
              status.modificationTimeNanos(),
              status.permissions(),
              clockMillis.getAsLong());
      Marker marker = blocks.marker();
      tail.compressed(endBytes - startBytes, segment.lengthBytes());
      tail.advance(endBytes, marker, full, sizeSeenAtNanos);
      handedOver = true;
      deliverer.deliver(
          new Delivery(segment, stream, marker, dueNanos, () -> staging.release(buffer)));
    } finally {
      if (!handedOver) {
        sealer.abandon();
        staging.release(buffer);
      }
    }
  }

  /** Appends block after block; whether it stopped for lack of room. */
  private boolean append(long limitBytes) throws IOException {
    while (blocks.positionBytes() < limitBytes) {
      int wanted = (int) Math.min(sealer.blockBytes(), limitBytes - blocks.positionBytes());
      while (!sealer.hasRoomFor(wanted)) {
        wanted /= 2;
        if (wanted < MIN_BLOCK_BYTES) {
          return true;
        }
      }
      int length = blocks.next(wanted);
      if (length <= 0) {
        return false; // Truncated meanwhile; the next cut sees it by size or marker.
      }
      sealer.append(blocks.array(), blocks.from(), length);
      blocks.advance(length);
    }
    return false;
  }

  /**
   * Ends the present stream by truncation and begins the next. Both are saved at once, before a
   * byte of the new stream is delivered.
   */
  private void beginNextStream(Tail tail, FileStatus status, long knownSizeBytes, boolean resumed) {
    StreamProgress old = tail.stream();
    long nowMillis = clockMillis.getAsLong();
    long readToBytes = resumed ? tail.positionBytes() : old.durableBytes();
    old.end(
        new Ending(
            StreamRecord.EndReason.TRUNCATED,
            readToBytes,
            Math.max(knownSizeBytes, readToBytes),
            nowMillis));
    StreamProgress next =
        StreamProgress.begin(
            agent,
            tail.identity(),
            old.id().withEpoch(old.id().epoch() + 1),
            tail.name(),
            nowMillis);
    try {
      checkpoints.save(List.of(old.checkpoint(), next.checkpoint()));
    } catch (IOException e) {
      // The next start finds both by listing the destination.
      problems.report(Deliverer.STATE, e, Deliverer.STATE_HINT);
    }
    tail.beginStream(next, status, resumed, nowMillis);
    deliverer.describe(old);
  }

  @Override
  public void close() {
    sealer.close();
    reader.close();
  }
}
