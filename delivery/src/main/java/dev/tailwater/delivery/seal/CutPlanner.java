package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.resume.StreamSuccession;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.io.Marker;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Optional;

/**
 * Finds what is to be cut of a tail: where to read from, whether the file was truncated, and how
 * far it reaches. Belongs to one worker.
 */
final class CutPlanner {
  private final SealContext context;
  private final Clocks clocks;
  private final StreamSuccession succession;
  private final TailReader reader;
  private final VerifiedReader blocks;

  /**
   * Creates a planner.
   *
   * @param blocks left at the position from which the caller cuts
   */
  CutPlanner(SealContext context, TailReader reader, VerifiedReader blocks) {
    this.context = context;
    this.clocks = context.clocks();
    this.succession = context.streams().succession();
    this.reader = reader;
    this.blocks = blocks;
  }

  /**
   * Returns what is to be cut of a claimed tail next, if anything is. The caller unpins the tail
   * when it has cut.
   */
  Optional<Cut> plan(Tail tail, int fd, long dueNanos) throws IOException {
    long sizeSeenAtNanos = clocks.nanos();
    Optional<FileStatus> seen = TailLook.refreshForReading(tail, sizeSeenAtNanos, clocks.millis());
    if (seen.isEmpty()) {
      return Optional.empty(); // Closed meanwhile; the watch opens it again if it is still there.
    }
    FileStatus status = succession.resume(tail, fd, reader, seen.get());
    Position at = tail.position();
    if (tail.isShrunk() || !blocks.begin(fd, status, at.bytes(), at.marker())) {
      if (!tail.pin(at)) {
        // Another worker has moved it on, so this position says nothing any more.
        return Optional.empty();
      }
      Optional<FileStatus> next = succession.afterTruncation(tail, fd, reader);
      if (next.isEmpty() || tail.isShrunk()) {
        // Closed, or truncated once more: the next cut begins with that.
        return Optional.empty();
      }
      status = next.get();
    }
    tail.confirm(status.sizeBytes());
    if (!skipsWhatIsHeld(tail, fd, status)) {
      return Optional.empty();
    }
    Position from = tail.position();
    ByteRange missing = from.stream().nextMissing(from.bytes());
    long limitBytes = Math.min(status.sizeBytes(), missing.endBytes());
    if (limitBytes <= from.bytes()) {
      if (status.sizeBytes() == 0) {
        tail.stream().seenEmpty();
      }
      return Optional.empty();
    }
    if (!from.equals(at) && !blocks.begin(fd, status, from.bytes(), from.marker())) {
      return Optional.empty();
    }
    long sinceNanos = tail.work().unreadSinceNanos().orElse(sizeSeenAtNanos);
    return Optional.of(
        new Cut(tail, fd, from, status, limitBytes, sinceNanos, dueNanos, sizeSeenAtNanos));
  }

  /**
   * Moves the position over what the destination holds already; false when the file was truncated
   * meanwhile.
   */
  private boolean skipsWhatIsHeld(Tail tail, int fd, FileStatus status) throws IOException {
    Position at = tail.position();
    long startBytes = at.stream().nextMissing(at.bytes()).startBytes();
    if (startBytes <= at.bytes() || startBytes > status.sizeBytes() || !tail.pin(at)) {
      return true;
    }
    Marker before = Marker.before(context.calls(), fd, startBytes);
    // It counts only if the file was not truncated before it was taken.
    if (!blocks.begin(fd, status, at.bytes(), at.marker())) {
      return false;
    }
    tail.resumeAt(startBytes, before);
    return true;
  }
}
