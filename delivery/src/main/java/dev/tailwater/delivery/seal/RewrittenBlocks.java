package dev.tailwater.delivery.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads the blocks of a file that were rewritten, and adds them to a pack. Belongs to one worker.
 */
final class RewrittenBlocks {
  private static final int MOST_BLOCKS = 16;

  private final SealContext context;
  private final Clocks clocks;
  private final TailReader reader;
  private byte[] bytes = new byte[0];

  RewrittenBlocks(SealContext context, TailReader reader) {
    this.context = context;
    this.clocks = context.clocks();
    this.reader = reader;
  }

  /**
   * Adds the blocks of a claimed tail that are known to be rewritten.
   *
   * @return false when there is no room for all of them
   */
  boolean add(PackTurn turn, Tail tail, int fd) throws IOException {
    StreamProgress stream = tail.stream();
    if (!tail.isResumed() || !stream.blocks().hasRewritten()) {
      return true;
    }
    if (bytes.length == 0) {
      bytes = new byte[MOST_BLOCKS * BlockSums.BLOCK_BYTES];
    }
    long revision = stream.nextRevision(clocks.millis());
    long fromBytes = 0;
    while (true) {
      Optional<ByteRange> next = next(turn, stream, fromBytes);
      if (next.isEmpty()) {
        return stream.blocks().nextRewritten(fromBytes, 1, stream.durableBytes()).isEmpty();
      }
      ByteRange range = next.get();
      Optional<FileStatus> status = read(tail, stream, fd, range);
      if (status.isEmpty()) {
        return true; // The next cut finds that it was truncated.
      }
      BlockRun read = new BlockRun(range.startBytes());
      read.add(bytes, 0, (int) range.lengthBytes());
      long modifiedNanos = status.get().modificationTimeNanos();
      if (!turn.revise(stream, range, revision, bytes, read, modifiedNanos)) {
        return false;
      }
      fromBytes = range.endBytes();
    }
  }

  /** Returns the next blocks for which there is room; empty when there are none, or no room. */
  private static Optional<ByteRange> next(PackTurn turn, StreamProgress stream, long fromBytes) {
    for (int most = MOST_BLOCKS; most > 0; most /= 2) {
      Optional<ByteRange> next =
          stream.blocks().nextRewritten(fromBytes, most, stream.durableBytes());
      if (next.isEmpty() || turn.acceptsRevision(stream, next.get().lengthBytes())) {
        return next;
      }
    }
    return Optional.empty();
  }

  /**
   * Reads a range; empty when the file may be at another stream by now. In this order: what is
   * before the position and unchanged after the reading was not truncated before it.
   */
  private Optional<FileStatus> read(Tail tail, StreamProgress stream, int fd, ByteRange range)
      throws IOException {
    int length = (int) range.lengthBytes();
    int count = reader.read(fd, range.startBytes(), bytes, 0, length);
    Optional<FileStatus> status = TailLook.refresh(tail, clocks.nanos(), clocks.millis());
    Position at = tail.position();
    boolean same =
        count == length
            && at.stream() == stream
            && !tail.isShrunk()
            && at.marker().matches(context.calls(), fd, at.bytes());
    return same ? status : Optional.empty();
  }
}
