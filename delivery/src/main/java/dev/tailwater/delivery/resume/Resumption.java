package dev.tailwater.delivery.resume;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.deliver.StatedContent;
import dev.tailwater.delivery.pack.HeldRun;
import dev.tailwater.delivery.pack.HeldStream;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.sums.OwnChecksum;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.io.Marker;
import dev.tailwater.io.read.Holes;
import dev.tailwater.io.read.TailReader;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * Finds where to resume a stream from before this run: asks the destination what it holds where
 * checkpoints may be outdated, and compares what is delivered with the file, so that a truncation
 * while nobody watched is not taken for growth.
 */
public final class Resumption {
  private static final int BLOCK_BYTES = 256 * 1024;

  private final FileCalls calls;
  private final Inventory inventory;
  private final StatedContent content;
  private final ArchivedContents archived;
  private final BooleanSupplier asksDestination;

  /** At which stream a file is. */
  enum Outcome {
    /** At the present one, whose position is set. */
    RESUMED,
    /** At the next one: it is not the file that was delivered, since it was truncated. */
    TRUNCATED,
    /** At the next one: untrusted objects say of the present one what it might contradict. */
    DOUBTED
  }

  /**
   * Creates a resumption for one destination.
   *
   * @param problems is told what cannot be compared
   * @param asksDestination whether segments may be durable that no checkpoint knows
   */
  public Resumption(
      FileCalls calls,
      Inventory inventory,
      StatedContent content,
      Problems problems,
      BooleanSupplier asksDestination) {
    this.calls = calls;
    this.inventory = inventory;
    this.content = content;
    this.archived = new ArchivedContents(inventory, content, problems);
    this.asksDestination = asksDestination;
  }

  /** Returns whether the destination may hold streams of the file that follow the present one. */
  boolean mayHoldNext(Tail tail) {
    return asksDestination.getAsBoolean() && tail.isContinued();
  }

  /** Returns the epoch after this one of which no untrusted pack says anything. */
  int epochAfter(StreamId stream) {
    int epoch = stream.epoch() + 1;
    if (asksDestination.getAsBoolean()) {
      Set<Integer> doubted =
          inventory.doubted(stream).stream()
              .map(one -> one.stream().epoch())
              .collect(Collectors.toSet());
      while (doubted.contains(epoch)) {
        epoch++;
      }
    }
    return epoch;
  }

  /**
   * Sets the tail's position, if its file is at the present stream.
   *
   * @param mindsDoubts whether the stream ends where it might contradict an untrusted object
   */
  Outcome resume(Tail tail, int fd, TailReader reader, FileStatus status, boolean mindsDoubts)
      throws IOException {
    StreamProgress stream = tail.stream();
    long sizeBytes = status.sizeBytes();
    long checkpointBytes = stream.durableBytes();
    long checkpointRevision = stream.lastRevision();
    Optional<Marker> marker = stream.marker().filter(m -> m.lengthBytes() > 0);
    Optional<Holding.Furthest> furthest = Optional.empty();
    Optional<Holding> held = Optional.empty();
    boolean unchecked = marker.isEmpty() && checkpointBytes > 0;
    boolean mayHoldMore =
        asksDestination.getAsBoolean()
            && stream.mayBeChanged(sizeBytes, status.modificationTimeNanos());
    if (unchecked || mayHoldMore) {
      Optional<Holding> answer = ask(stream, unchecked);
      if (answer.isEmpty()) {
        return Outcome.TRUNCATED; // Nobody can tell: better delivered twice than not at all.
      }
      Holding holding = answer.get();
      holding.tell(stream);
      if (holding.isEmpty() && stream.id().epoch() > 0) {
        tail.nothingFollows();
      }
      furthest = holding.furthest();
      held = Optional.of(holding);
    }
    long positionBytes = stream.durableBytes();
    long heldBytes = furthest.map(s -> s.range().endBytes()).orElse(positionBytes);
    if (heldBytes > checkpointBytes) {
      stream.holdsUnknownHeaders();
    }
    if (Math.max(positionBytes, heldBytes) > sizeBytes) {
      return Outcome.TRUNCATED;
    }
    // Before the comparisons, so that a truncation after them is noticed later.
    Marker before = Marker.before(calls, fd, positionBytes);
    if (marker.isPresent() && !marker.get().matches(calls, fd, checkpointBytes)) {
      return Outcome.TRUNCATED;
    }
    if (mindsDoubts
        && held.isPresent()
        && asksDestination.getAsBoolean()
        && mayContradict(stream, checkpointRevision, held.get(), fd, reader, status)) {
      return Outcome.DOUBTED;
    }
    // The marker covers only the bytes before the checkpoint, not those delivered since.
    boolean unproven = marker.isEmpty() || heldBytes > checkpointBytes;
    boolean knewBegin = stream.blocks().incompleteBefore(checkpointBytes).isPresent();
    if (unproven && furthest.isPresent()) {
      BlockRun read = new BlockRun(furthest.get().range().startBytes());
      if (!isSame(furthest.get(), fd, reader, status, read)) {
        return Outcome.TRUNCATED;
      }
      stream.blocks().learn(read); // Or a rewritten block could not be told from the others.
    }
    stream.confirm(positionBytes, before);
    long fromBytes = unchecked ? 0 : checkpointBytes;
    ByteRange unknown =
        new ByteRange(fromBytes, Math.max(fromBytes, Math.max(positionBytes, heldBytes)));
    boolean losesBegin = knewBegin && !stream.blocks().knows(BlockSums.blockOf(checkpointBytes));
    boolean comparedAll =
        !losesBegin && furthest.filter(known -> known.range().contains(unknown)).isPresent();
    if (held.isPresent()
        && !unknown.isEmpty()
        && !comparedAll
        && tail.file().comparisons().compares()) {
      stream.archiveStates(archived.of(stream, held.get(), fromBytes));
      tail.uncompared();
    }
    tail.resumeAt(positionBytes, before);
    tail.requestComparison(); // Checksums may be lost.
    return Outcome.RESUMED;
  }

  /**
   * Returns whether what follows in a stream might contradict objects that no trusted key has
   * signed. These may be the agent's own bytes, which a compactor has merged before a checkpoint
   * knew of them, and the file may have others by now. Where nothing is delivered, the next stream
   * costs no more than this one; else bytes are compared, if all of them are read at once.
   *
   * @param knownRevision the highest one of the checkpoint; trusted packs may have higher ones
   */
  private boolean mayContradict(
      StreamProgress stream,
      long knownRevision,
      Holding held,
      int fd,
      TailReader reader,
      FileStatus status)
      throws IOException {
    if (held.isDoubted()) {
      return true; // The names of its segments are taken.
    }
    long knownBytes = stream.durableBytes();
    boolean wasCompared = false;
    for (HeldStream doubted : inventory.doubted(stream.id())) {
      if (!doubted.stream().equals(stream.id())) {
        continue;
      }
      List<ByteRange> ranges = doubted.ranges().ranges();
      long endBytes = ranges.isEmpty() ? 0 : ranges.getLast().endBytes();
      if (doubted.lastRevision() > knownRevision) {
        return true;
      }
      if (endBytes <= knownBytes) {
        continue;
      }
      Optional<HeldRun> last =
          doubted
              .furthest()
              .filter(run -> run.range().contains(new ByteRange(knownBytes, endBytes)));
      boolean comparable =
          knownBytes > 0 && endBytes <= status.sizeBytes() && last.isPresent() && !wasCompared;
      if (!comparable) {
        return true; // Under several birth paths, the stream would be read as often.
      }
      wasCompared = true;
      BlockRun read = new BlockRun(last.get().range().startBytes());
      if (!isSame(Holding.Furthest.packed(last.get()), fd, reader, status, read)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns what the destination holds of a stream; empty where the file must be compared with it,
   * and nobody can read it.
   */
  private Optional<Holding> ask(StreamProgress stream, boolean unchecked)
      throws DestinationException {
    long knownBytes = stream.durableBytes();
    if (!unchecked) {
      return Optional.of(inventory.stream(stream.birthPath(), stream.streamPrefix(), knownBytes));
    }
    try {
      return Optional.of(
              inventory.streamToCompare(stream.birthPath(), stream.streamPrefix(), knownBytes))
          .filter(held -> held.furthest().isPresent() || !inventory.leavesOutPacks());
    } catch (ColdObjectException e) {
      content.reportCold(e);
      return Optional.empty();
    }
  }

  /**
   * Compares a delivered range with the file, by what its object states.
   *
   * @param read takes what is read of the range
   */
  private boolean isSame(
      Holding.Furthest delivered, int fd, TailReader reader, FileStatus status, BlockRun read)
      throws IOException {
    if (!hasSameChecksum(delivered, fd, reader, read)) {
      return false;
    }
    OptionalLong readWith = delivered.modificationTimeNanos();
    boolean unwritten =
        readWith.isPresent() && readWith.getAsLong() == status.modificationTimeNanos();
    return unwritten || !hasOwnChecksum(delivered.range(), fd, reader);
  }

  private boolean hasSameChecksum(
      Holding.Furthest delivered, int fd, TailReader reader, BlockRun read) throws IOException {
    if (delivered.segment().isEmpty()) {
      OptionalInt sum = crc32c(delivered.range(), fd, reader, read);
      return sum.isPresent() && sum.getAsInt() == delivered.packedCrc32c();
    }
    ArchiveObject.Segment segment = delivered.segment().get();
    Optional<ContentStanza> stated = content.readUnlessCold(segment);
    if (stated.isEmpty()) {
      return false; // Damaged or not comparable: better delivered twice than not at all.
    }
    OptionalInt sum = crc32c(delivered.range(), fd, reader, read);
    return sum.isPresent() && content.matches(segment, stated.get(), sum.getAsInt());
  }

  /** Returns whether the checksum of the range says nothing about the bytes at its beginning. */
  private static boolean hasOwnChecksum(ByteRange range, int fd, TailReader reader)
      throws IOException {
    OwnChecksum own = new OwnChecksum();
    byte[] block = new byte[BLOCK_BYTES];
    long offset = range.startBytes();
    long endBytes = Math.min(range.endBytes(), offset + OwnChecksum.WITHIN_BYTES);
    while (offset < endBytes && !own.isFound()) {
      int wanted = (int) Math.min(block.length, endBytes - offset);
      int read = reader.read(fd, offset, block, 0, wanted);
      if (read == 0) {
        return true; // It was truncated, which the next look finds.
      }
      own.update(block, 0, read);
      offset += read;
    }
    return own.isFound();
  }

  /** Returns the checksum of a range of the file; empty when the file is shorter. */
  private OptionalInt crc32c(ByteRange range, int fd, TailReader reader, BlockRun read)
      throws IOException {
    Holes holes = new Holes(calls);
    holes.begin(fd, calls.fstat(fd));
    byte[] block = new byte[BLOCK_BYTES];
    CRC32C crc = new CRC32C();
    int sum = 0;
    long offset = range.startBytes();
    while (offset < range.endBytes()) {
      long passed = holes.lengthAt(offset, range.endBytes());
      int next;
      if (passed > 0) {
        next = Crc32cCombination.ofZeros(passed);
        read.addZeros(passed);
      } else {
        int wanted = (int) Math.min(block.length, range.endBytes() - offset);
        passed = reader.read(fd, offset, block, 0, wanted);
        if (passed == 0) {
          return OptionalInt.empty();
        }
        crc.reset();
        crc.update(block, 0, (int) passed);
        next = (int) crc.getValue();
        read.add(block, 0, (int) passed);
      }
      sum = Crc32cCombination.combine(sum, next, passed);
      offset += passed;
    }
    return OptionalInt.of(sum);
  }
}
