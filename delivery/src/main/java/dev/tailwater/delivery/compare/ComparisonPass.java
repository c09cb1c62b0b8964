package dev.tailwater.delivery.compare;

import dev.tailwater.delivery.stream.ArchivedContent;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.sums.BlockSums.Sameness;
import dev.tailwater.delivery.tail.BegunComparison;
import dev.tailwater.delivery.tail.Position;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.io.read.Holes;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * One pass over a file, which is compared block by block with what was delivered of it. What
 * differs is noted in the stream.
 */
final class ComparisonPass {
  private static final int READ_BYTES = 16 * BlockSums.BLOCK_BYTES;
  private static final long REMEMBERED_BYTES = (long) BlockSums.MOST_BLOCKS * BlockSums.BLOCK_BYTES;

  private final Tools tools;
  private final ComparisonQueue.Claim claim;
  private final Tail tail;

  /** Whether only blocks of which no checksum is known are read. */
  private final boolean learning;

  private final Position at;
  private final StreamProgress stream;
  private final int fd;
  private final boolean deliverable;
  private final boolean knownToBeChanged;
  private final long limitBytes;
  private final Optional<ArchiveComparison> archive;

  /** Where the bytes end that must be compared with the archive. */
  private final long archivedToBytes;

  /** Where the last block ends that has such bytes. */
  private final long decidedAtBytes;

  private long workedNanos;
  private long unstatedBytes;

  /** Whether the file has the mtime that it was last read with, as the archive tells. */
  private boolean unwritten;

  private boolean differs;
  private boolean isUndeliverable;

  /** Whether the file was looked at after the bytes that are compared now were read. */
  private boolean lookedSinceRead;

  private boolean mayBeChanged;

  /**
   * What passes work with, one after the other.
   *
   * @param closed returns whether the agent ends
   */
  record Tools(
      FileCalls calls,
      Clocks clocks,
      TailReader reader,
      @SuppressWarnings("ArrayRecordComponent") byte[] buffer,
      BooleanSupplier closed,
      Rests rests) {
    Tools(FileCalls calls, Clocks clocks, TailReader reader, BooleanSupplier closed, Rests rests) {
      this(calls, clocks, reader, new byte[READ_BYTES], closed, rests);
    }
  }

  /** Rests after a read, so that others are not disturbed. */
  interface Rests {
    void rest(long tookNanos, boolean urgent) throws InterruptedException;
  }

  /** What has come of a pass. */
  sealed interface Outcome {}

  /** The file may be at another stream by now. */
  record StreamChanged(boolean learning) implements Outcome {}

  /**
   * The checksums were learnt that were not known.
   *
   * @param isUndeliverable whether bytes were replaced that cannot be delivered
   */
  record Learnt(long workedNanos, boolean isUndeliverable) implements Outcome {}

  /**
   * The file was compared.
   *
   * @param isAll whether all was durable that had been read or that the archive has: else the rest
   *     is still to be compared
   * @param isDecided whether all is decided upon that was compared: with a part of what the archive
   *     states of a range, nothing is
   * @param limitBytes where the comparison ended
   * @param differs whether the file has other bytes
   * @param isUndeliverable whether bytes were replaced that cannot be delivered
   * @param withArchive whether it was compared with what the archive says, too
   * @param unstatedBytes how many bytes, which may have been rewritten, the archive says nothing of
   */
  record Compared(
      boolean isAll,
      boolean isDecided,
      long workedNanos,
      long limitBytes,
      boolean differs,
      boolean isUndeliverable,
      boolean withArchive,
      long unstatedBytes)
      implements Outcome {}

  /**
   * Creates a pass.
   *
   * @param deliverable whether replaced bytes of the stream can be delivered
   */
  ComparisonPass(
      Tools tools, ComparisonQueue.Claim claim, BegunComparison begun, int fd, boolean deliverable)
      throws IOException {
    this.tools = tools;
    this.claim = claim;
    this.tail = claim.tail();
    this.at = begun.at();
    this.stream = at.stream();
    this.fd = fd;
    this.deliverable = deliverable;
    this.knownToBeChanged = tail.isKnownToBeChanged();
    // What is not durable yet may be given up, and is read again then.
    this.limitBytes = Math.min(Math.min(stream.durableBytes(), at.bytes()), REMEMBERED_BYTES);
    begun.endsAt(limitBytes);
    Optional<ArchivedContent> archived = stream.archived();
    this.archive = archived.isPresent() ? Optional.of(with(archived.get())) : Optional.empty();
    this.archivedToBytes = archived.map(ArchivedContent::endBytes).orElse(0L);
    this.decidedAtBytes = archived.map(ArchivedContent::blocksEndBytes).orElse(0L);
    this.learning = claim.task() == ComparisonQueue.Task.LEARN && archive.isEmpty();
  }

  private ArchiveComparison with(ArchivedContent archived) throws IOException {
    long timeNanos = tools.calls().fstat(fd).modificationTimeNanos();
    unwritten = archived.readWithNanos().equals(OptionalLong.of(timeNanos));
    return new ArchiveComparison(archived, unwritten, this::decided);
  }

  /** Compares everything that is durable, or learns that of which no checksum is known. */
  Outcome run() throws IOException, InterruptedException {
    if (!compareAll()) {
      return new StreamChanged(learning);
    }
    return learning
        ? new Learnt(workedNanos, isUndeliverable)
        : new Compared(
            hasComparedAll(),
            isDecided(),
            workedNanos,
            limitBytes,
            differs,
            isUndeliverable,
            archive.isPresent(),
            unwritten ? 0 : unstatedBytes);
  }

  /** Returns false when the file may be at another stream by now. */
  private boolean compareAll() throws IOException, InterruptedException {
    stream.blocks().extendTo(limitBytes);
    Holes holes = new Holes(tools.calls());
    holes.begin(fd, tools.calls().fstat(fd));
    long offset = next(0);
    while (offset < limitBytes && !tools.closed().getAsBoolean()) {
      long zeroBlocks = holes.lengthAt(offset, limitBytes) / BlockSums.BLOCK_BYTES;
      lookedSinceRead = false;
      if (zeroBlocks > 0) {
        compareZeros(offset, zeroBlocks);
        offset = next(offset + zeroBlocks * BlockSums.BLOCK_BYTES);
        continue;
      }
      long startNanos = tools.clocks().nanos();
      int wanted = (int) Math.min(READ_BYTES, limitBytes - offset);
      int count = tools.reader().read(fd, offset, tools.buffer(), 0, wanted);
      if (count < wanted || isOtherStream()) {
        return false;
      }
      compare(offset, count);
      offset = next(offset + count);
      long tookNanos = tools.clocks().nanos() - startNanos;
      workedNanos += tookNanos;
      tools.rests().rest(tookNanos, claim.urgent());
    }
    if (archive.isPresent() && isDecided()) {
      archive.get().end(); // Else the next pass reads the rest of the ranges that are begun.
    }
    // Of what nobody remembers, it is only known that something was rewritten somewhere.
    isUndeliverable |=
        knownToBeChanged && !differs && hasComparedAll() && at.bytes() > REMEMBERED_BYTES;
    return offset >= limitBytes && !isOtherStream();
  }

  private long next(long offset) {
    return learning && offset < limitBytes
        ? stream.blocks().nextUnknown(offset, limitBytes)
        : offset;
  }

  /**
   * Returns whether all was durable that had been read or that the archive has: else the rest is
   * still to be compared.
   */
  private boolean hasComparedAll() {
    return limitBytes >= Math.min(Math.max(at.bytes(), archivedToBytes), REMEMBERED_BYTES);
  }

  /** Returns whether all blocks were durable that the archive has something of. */
  private boolean isDecided() {
    return hasComparedAll() || limitBytes >= Math.min(decidedAtBytes, REMEMBERED_BYTES);
  }

  private void compareZeros(long offset, long zeroBlocks) throws IOException {
    int first = BlockSums.blockOf(offset);
    for (int i = 0; i < zeroBlocks; i++) {
      int block = first + i;
      long toBytes = (block + 1L) * BlockSums.BLOCK_BYTES;
      compare(block, BlockRun.ZERO_BLOCK, toBytes);
      if (archive.isPresent()) {
        archive.get().addZeros(new ArchiveComparison.Block(block, BlockRun.ZERO_BLOCK, toBytes));
      }
    }
  }

  /** What is before the position and unchanged after a read was not truncated before it. */
  private boolean isOtherStream() throws IOException {
    return tail.stream() != stream
        || tail.isShrunk()
        || !at.marker().matches(tools.calls(), fd, at.bytes());
  }

  private void compare(long offset, int lengthBytes) throws IOException {
    for (int from = 0; from < lengthBytes; from += BlockSums.BLOCK_BYTES) {
      int length = Math.min(BlockSums.BLOCK_BYTES, lengthBytes - from);
      long sum = BlockRun.sumOf(tools.buffer(), from, length);
      int block = BlockSums.blockOf(offset + from);
      compare(block, sum, offset + from + length);
      if (archive.isPresent()) {
        archive
            .get()
            .add(
                new ArchiveComparison.Block(block, sum, offset + from + length),
                tools.buffer(),
                from);
      }
    }
  }

  private void compare(int block, long sum, long toBytes) throws IOException {
    BlockSums blocks = stream.blocks();
    switch (blocks.compare(block, sum, toBytes)) {
      case SAME -> blocks.foundSame(block);
      case OUTDATED -> foundOutdated(block);
      case DIFFERENT -> found(block);
      // Delivered once more: to take it for the same would be to lose a change.
      case OUTGROWN -> found(block);
      case UNKNOWN -> {
        if (archive.isPresent()) {
          return; // That decides, when it has read more.
        }
        if (mayBeChanged()) {
          found(block); // Nobody can tell whether it is this block that was replaced.
        } else {
          blocks.learn(block, sum, toBytes);
        }
      }
    }
  }

  /** Takes in what the archive tells of a block. */
  private void decided(
      ArchiveComparison.Block block, ArchiveComparison.Verdict verdict, boolean readSince)
      throws IOException {
    BlockSums blocks = stream.blocks();
    if (blocks.compare(block.number(), block.sum(), block.toBytes()) != Sameness.UNKNOWN) {
      return;
    }
    if (verdict == ArchiveComparison.Verdict.DIFFERENT || (readSince && mayBeChanged())) {
      found(block.number());
      return;
    }
    if (verdict == ArchiveComparison.Verdict.UNSTATED) {
      unstatedBytes += block.range().lengthBytes();
    }
    blocks.learn(block.number(), block.sum(), block.toBytes());
  }

  /**
   * Returns whether bytes may have been replaced before they were read now. A suspicion is enough:
   * once a block is learnt, nobody can find out any more that it was replaced.
   */
  private boolean mayBeChanged() throws IOException {
    if (!lookedSinceRead) {
      lookedSinceRead = true;
      // An append that is met halfway has grown the file at the next look.
      for (int look = 0; look < TailLook.LOOKS_AT_APPEND && !mayBeChanged; look++) {
        if (!tail.mayBeChanged(tools.calls().fstat(fd))) {
          return false;
        }
      }
      mayBeChanged = true;
    }
    return mayBeChanged;
  }

  /**
   * Has the same bytes delivered once more; where they cannot be, only the time is an older one.
   */
  private void foundOutdated(int block) {
    if (deliverable) {
      found(block);
    } else {
      stream.blocks().foundSame(block);
    }
  }

  private void found(int block) {
    differs = true;
    if (deliverable && block < BlockSums.MOST_BLOCKS) {
      stream.blocks().found(block, tools.clocks().nanos());
    } else {
      isUndeliverable = true;
    }
  }
}
