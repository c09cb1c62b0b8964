package dev.tailwater.delivery.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far one stream is delivered to one destination, and what the archive does not say of it yet.
 * Thread-safe; nothing here blocks.
 */
public final class StreamProgress {
  private final FileIdentity identity;
  private final StreamOrigin origin;

  @GuardedBy("this")
  private final DurableRanges durable;

  @GuardedBy("this")
  private Checkpoint.LastSeen seen;

  /** When the file came to its path, as far as this run knows. */
  @GuardedBy("this")
  private OptionalLong arrivalNanos = OptionalLong.empty();

  @GuardedBy("this")
  private Optional<Ending> ending;

  /** Whether the archive must not be told of the end yet. */
  @GuardedBy("this")
  private boolean endIsWithheld;

  @GuardedBy("this")
  private Checkpoint.Recorded recorded;

  /** How many facts have come up that the archive must say beside the segments. */
  @GuardedBy("this")
  private long facts;

  @GuardedBy("this")
  private long describedFacts;

  /** How many facts were known when the file had come back to its path. */
  @GuardedBy("this")
  private long factsOfArrival;

  /** The modification time that the record of an empty file has, or will have. */
  @GuardedBy("this")
  private OptionalLong emptySinceNanos = OptionalLong.empty();

  @GuardedBy("this")
  private boolean registered;

  /** What the last checkpoint said; a hash, which saves a write at most. */
  @GuardedBy("this")
  private int checkpointed;

  @GuardedBy("this")
  private boolean left;

  @GuardedBy("this")
  private boolean found;

  @GuardedBy("this")
  private boolean changedInPlace;

  /** Whether the archive may say of the stream that it has ended. */
  @GuardedBy("this")
  private boolean maybeCalledEnded;

  /** Whether the archive may have said of the stream whether it was changed in place. */
  @GuardedBy("this")
  private boolean maybeCalledChanged;

  private final OptionalLong savedModificationTimeNanos;
  private final BlockSums blocks = new BlockSums();

  /** Whether the file was written to since it was compared with what is delivered. */
  @GuardedBy("this")
  private boolean uncompared;

  /** Whether bytes may have been replaced where no checksum is known. */
  @GuardedBy("this")
  private boolean suspected;

  /** What the archive states of bytes that were not compared with the file since. */
  @GuardedBy("this")
  private Optional<ArchivedContent> archived = Optional.empty();

  @GuardedBy("this")
  private long lastRevision;

  private StreamProgress(
      FileIdentity identity, StreamOrigin origin, PosixPath path, long seenAtMillis) {
    this.identity = identity;
    this.origin = origin;
    this.durable = new DurableRanges();
    this.seen = new Checkpoint.LastSeen(path, 0, 0, seenAtMillis, Optional.empty());
    this.recorded = new Checkpoint.Recorded(origin.birthPath(), false);
    this.ending = Optional.empty();
    this.savedModificationTimeNanos = OptionalLong.empty();
  }

  private StreamProgress(Checkpoint checkpoint, boolean isSaved) {
    this.identity = checkpoint.identity();
    this.origin = checkpoint.origin();
    this.durable = DurableRanges.upTo(checkpoint.durable().bytes(), checkpoint.durable().marker());
    this.seen = checkpoint.seen();
    this.recorded = checkpoint.recorded();
    this.ending = checkpoint.ending();
    this.facts = checkpoint.ending().isPresent() ? 1 : 0;
    if (!seen.path().equals(recorded.path())) {
      // Segments may have the other path in their headers, even if the file has the first one
      // again.
      facts++;
    }
    if (recorded.described()) {
      this.emptySinceNanos = OptionalLong.of(seen.modificationTimeNanos());
    }
    this.registered = true;
    this.changedInPlace = checkpoint.changedInPlace();
    this.uncompared = checkpoint.rewriting().uncompared();
    this.suspected = checkpoint.rewriting().suspected();
    this.lastRevision = checkpoint.rewriting().lastRevision();
    this.blocks.restore(checkpoint.rewriting().blockSums(), checkpoint.durable().bytes());
    this.maybeCalledEnded = checkpoint.ending().isPresent();
    this.maybeCalledChanged = checkpoint.changedInPlace();
    this.savedModificationTimeNanos = OptionalLong.of(seen.modificationTimeNanos());
    this.checkpointed = isSaved ? factsOfCheckpoint() : 0;
  }

  /** Creates a stream of which nothing is delivered yet. */
  public static StreamProgress begin(
      String agent, FileIdentity identity, StreamId id, PosixPath path, long nowMillis) {
    String prefix = ArchiveNames.streamPrefix(agent, path, id);
    return new StreamProgress(identity, new StreamOrigin(id, path, prefix), path, nowMillis);
  }

  /**
   * Creates, under its name, the stream that another destination has, and of which nothing is
   * delivered to this one yet.
   */
  public static StreamProgress sameAs(StreamProgress other, PosixPath path, long nowMillis) {
    return new StreamProgress(other.identity, other.origin, path, nowMillis);
  }

  /** Creates a stream as a checkpoint describes it. */
  public static StreamProgress resume(Checkpoint checkpoint) {
    return new StreamProgress(checkpoint, true);
  }

  /** Creates a stream as a checkpoint describes it, of a file that has another identity now. */
  public static StreamProgress resume(Checkpoint checkpoint, FileIdentity now) {
    return now.equals(checkpoint.identity())
        ? resume(checkpoint)
        : new StreamProgress(checkpoint.of(now), false);
  }

  /**
   * Creates the stream of a file that left memory and comes back. Nobody else has come to its path
   * since it did.
   *
   * @param arrivalNanos when it did
   */
  public static StreamProgress comeBack(Checkpoint checkpoint, long arrivalNanos) {
    StreamProgress stream = resume(checkpoint);
    stream.cameBack(arrivalNanos);
    return stream;
  }

  private synchronized void cameBack(long arrivedNanos) {
    found = true;
    arrivalNanos = OptionalLong.of(arrivedNanos);
  }

  /** Creates a stream that only the archive knows, since the local state was lost. */
  public static StreamProgress rediscover(
      FileIdentity identity, StreamOrigin origin, PosixPath path) {
    return new StreamProgress(identity, origin, path, 0);
  }

  public FileIdentity identity() {
    return identity;
  }

  public StreamId id() {
    return origin.id();
  }

  /** Returns the agent's name that the stream is archived under; the agent may have another now. */
  public String agent() {
    return origin.agent();
  }

  public String streamPrefix() {
    return origin.prefix();
  }

  public PosixPath birthPath() {
    return origin.birthPath();
  }

  public synchronized PosixPath path() {
    return seen.path();
  }

  /**
   * The attributes of the file that a segment has.
   *
   * @param place where it was last seen
   * @param owner empty where no run that noted it has seen the file
   */
  public record Attributes(
      Place place, int permissions, long modificationTimeNanos, Optional<FileOwner> owner) {
    /** Returns the path at which it was last seen. */
    public PosixPath path() {
      return place.path();
    }
  }

  /** Returns the attributes as they were last seen. */
  public synchronized Attributes attributes() {
    return new Attributes(
        new Place(seen.path(), arrivalNanos),
        seen.permissions(),
        seen.modificationTimeNanos(),
        seen.owner());
  }

  public synchronized Optional<Ending> ending() {
    return ending;
  }

  /** Returns the offset below which every byte is durable at the destination. */
  public synchronized long durableBytes() {
    return durable.contiguousBytes();
  }

  /**
   * The bytes that are durable from the beginning of the stream.
   *
   * @param marker the checksum before its end, if it is known
   */
  public record Durable(long bytes, Optional<Marker> marker) {}

  /** Returns {@link #durableBytes()} and {@link #marker()} of the same moment. */
  public synchronized Durable durable() {
    return new Durable(durableBytes(), marker());
  }

  /** Returns the checksum before {@link #durableBytes()}, if it is known. */
  public synchronized Optional<Marker> marker() {
    return durable.marker();
  }

  /** Returns the ranges that are durable, in order. */
  public synchronized List<ByteRange> durableRanges() {
    return durable.ranges();
  }

  /** Adds a range that the destination says it holds; the bytes before its end are not known. */
  public synchronized void holds(ByteRange range) {
    durable.add(range);
  }

  /** Returns the next range at or after the position that is not durable; it may be empty. */
  public synchronized ByteRange nextMissing(long positionBytes) {
    return durable.nextMissing(positionBytes);
  }

  /** Returns the ranges below the size that are not durable. */
  public synchronized List<ByteRange> missing(long sizeBytes) {
    return sizeBytes == 0 ? List.of() : durable.missing(new ByteRange(0, sizeBytes));
  }

  /** Adds a range that the destination has made durable. */
  public synchronized void acknowledge(ByteRange range, Marker markerAtEnd) {
    durable.add(range, markerAtEnd);
  }

  /** Notes that the file has what the destination holds up to there, and the checksum before it. */
  public synchronized void confirm(long offsetBytes, Marker markerThere) {
    durable.confirm(offsetBytes, markerThere);
  }

  /**
   * Returns whether the file may have been written to since an earlier run saved its checkpoint, so
   * that more of it may have been delivered than the checkpoint says.
   */
  public synchronized boolean mayBeChanged(long sizeBytes, long nowModificationTimeNanos) {
    return sizeBytes != durableBytes()
        || savedModificationTimeNanos.isEmpty()
        || savedModificationTimeNanos.getAsLong() != nowModificationTimeNanos;
  }

  /**
   * Notes that the file was seen at this place with these attributes. If readers know of the file,
   * the archive is told of another mode or owner, and that the file has come back to its path.
   */
  public synchronized void seen(
      Place place,
      int permissions,
      long modificationTimeNanos,
      FileOwner nowOwnedBy,
      long nowMillis) {
    boolean cameBack = arrivalNanos.isPresent() && !arrivalNanos.equals(place.arrivalNanos());
    boolean changed =
        permissions != seen.permissions()
            || seen.owner().filter(before -> !hasIds(before, nowOwnedBy)).isPresent();
    boolean known = !durable.isEmpty() || emptySinceNanos.isPresent();
    if ((changed || cameBack) && registered && known) {
      facts++;
    }
    if (cameBack) {
      factsOfArrival = facts;
    }
    arrivalNanos = place.arrivalNanos();
    seen =
        new Checkpoint.LastSeen(
            place.path(), permissions, modificationTimeNanos, nowMillis, Optional.of(nowOwnedBy));
  }

  private static boolean hasIds(FileOwner before, FileOwner now) {
    return before.userId() == now.userId() && before.groupId() == now.groupId();
  }

  /**
   * Returns the file's modification time when it was last seen; empty when nothing is durable, or
   * the time is not known.
   */
  public synchronized OptionalLong timeOfDurableBytes() {
    return durableBytes() > 0 && seen.modificationTimeNanos() != 0
        ? OptionalLong.of(seen.modificationTimeNanos())
        : OptionalLong.empty();
  }

  /** Returns the checksums of what is delivered, and which bytes were replaced since. */
  public BlockSums blocks() {
    return blocks;
  }

  /** Notes whether the file was written to since it was compared with what is delivered. */
  public synchronized void uncompared(boolean now) {
    uncompared = now;
  }

  /** Returns whether the file was written to since it was compared with what is delivered. */
  public synchronized boolean isUncompared() {
    return uncompared;
  }

  /** Notes whether bytes may have been replaced where no checksum of them is known. */
  public synchronized void suspected(boolean now) {
    suspected = now;
  }

  /** Returns whether bytes may have been replaced where no checksum of them is known. */
  public synchronized boolean isSuspected() {
    return suspected;
  }

  /** Notes what the archive states of the bytes: the file is to be compared with that. */
  public synchronized void archiveStates(ArchivedContent content) {
    archived = Optional.of(content);
    uncompared = true;
  }

  /** Returns what the archive states of bytes that were not compared with the file since. */
  public synchronized Optional<ArchivedContent> archived() {
    return archived;
  }

  /** Notes that the file was compared with what the archive states. */
  public synchronized void comparedWithArchive() {
    archived = Optional.empty();
  }

  /**
   * Notes which revisions the destination holds. Some may have arrived after the checkpoint was
   * saved, and then its checksums are of the bytes before: of these, nothing is known to be the
   * same.
   *
   * @param highest 0 if there are none
   * @param replaced the ranges of all
   * @param replacedByHighest the ranges of the highest one
   */
  public synchronized void holdsRevisions(
      long highest, RangeSet replaced, RangeSet replacedByHighest) {
    boolean isResumed = savedModificationTimeNanos.isPresent();
    if (isResumed && highest > lastRevision) {
      replaced.ranges().forEach(blocks::doubt);
    } else if (isResumed && highest == lastRevision && uncompared) {
      replacedByHighest.ranges().forEach(blocks::doubt);
    }
    lastRevision = Math.max(lastRevision, highest);
  }

  /** Returns a revision that is higher than every earlier one. */
  public synchronized long nextRevision(long nowMillis) {
    lastRevision = Math.max(lastRevision + 1, nowMillis);
    return lastRevision;
  }

  /** Returns whether bytes were changed in the file after they had been read. */
  public synchronized boolean isChangedInPlace() {
    return changedInPlace;
  }

  /** Notes whether bytes were changed after they had been read. */
  public synchronized void changedInPlace(boolean changed) {
    if (changedInPlace != changed) {
      changedInPlace = changed;
      maybeCalledChanged = true;
      facts++;
    }
  }

  /**
   * Returns whether the archive has, or will get, all that it should say while the file is empty.
   */
  public synchronized boolean isEmptyNoted() {
    return !durable.isEmpty()
        || emptySinceNanos.equals(OptionalLong.of(seen.modificationTimeNanos()));
  }

  /**
   * Notes that the file is empty: without a record, no reader of the archive would know of it, or
   * since when.
   */
  public synchronized void seenEmpty() {
    if (!isEmptyNoted()) {
      emptySinceNanos = OptionalLong.of(seen.modificationTimeNanos());
      // Until the record is written, a checkpoint must not say that it is.
      recorded = new Checkpoint.Recorded(recorded.path(), false);
      facts++;
    }
  }

  /**
   * Notes that the destination holds segments that the checkpoint did not know, with any path in
   * their headers: the path is recorded.
   */
  public synchronized void holdsUnknownHeaders() {
    if (registered && !recorded.described()) {
      facts++;
    }
  }

  /** Notes that the destination holds a record with unknown content: it is written anew. */
  public synchronized void holdsRecord() {
    maybeCalledEnded = true;
    maybeCalledChanged = true;
    facts++;
  }

  /**
   * Notes what readers of the archive know of the stream beside its bytes.
   *
   * @param path where they expect the file
   * @param ended whether they believe that it has ended; if its file is there, they must be told
   * @param changed whether they know that bytes were changed in place
   * @param emptySinceNanos the modification time of the empty file that they know
   */
  public synchronized void archiveSays(
      PosixPath path, boolean ended, boolean changed, OptionalLong emptySinceNanos) {
    recorded = new Checkpoint.Recorded(path, true);
    if (emptySinceNanos.isPresent()) {
      this.emptySinceNanos = emptySinceNanos;
    }
    if (ended) {
      maybeCalledEnded = true;
      facts++;
    }
    if (changed) {
      maybeCalledChanged = true;
      changedInPlace = true;
    }
  }

  /** Ends the stream. What was read before is still delivered. */
  public synchronized void end(Ending ending) {
    this.ending = Optional.of(knowingWhatIsDurable(ending));
    maybeCalledEnded = true;
    facts++;
  }

  /**
   * Ends the stream, but does not let the archive be told of it before {@link #announceEnd}: an
   * agent that is killed before its checkpoint is saved must not go on in a stream that readers
   * believe to have ended.
   */
  public synchronized void endUnannounced(Ending unsaved) {
    ending = Optional.of(knowingWhatIsDurable(unsaved));
    endIsWithheld = true;
  }

  /** A killed agent may have delivered later bytes and not earlier ones: then these are lost. */
  @GuardedBy("this")
  private Ending knowingWhatIsDurable(Ending found) {
    long knownSizeBytes = Math.max(found.knownSizeBytes(), durable.endBytes());
    return new Ending(found.reason(), found.readToBytes(), knownSizeBytes, found.atMillis());
  }

  /** Lets the archive be told that the stream has ended. */
  public synchronized void announceEnd() {
    endIsWithheld = false;
    maybeCalledEnded = true;
    facts++;
  }

  /** Ends the stream since its file is not there; false when that was found meanwhile. */
  public synchronized boolean endVanished(long nowMillis) {
    if (found) {
      return false;
    }
    end(new Ending(StreamRecord.EndReason.VANISHED, durableBytes(), durableBytes(), nowMillis));
    return true;
  }

  /** Reopens the stream, since its file is back. */
  public synchronized void reopen() {
    found = true;
    if (ending.isPresent()) {
      ending = Optional.empty();
      facts++;
    }
  }

  /** Returns whether the stream has ended and every byte that was read of it is durable. */
  public synchronized boolean isComplete() {
    return ending.isPresent() && !endIsWithheld && durableBytes() >= ending.get().readToBytes();
  }

  /**
   * Returns the bytes that were read but never became durable, and whose file is gone: after a
   * crash they are lost, and the archive must say so.
   */
  public synchronized Optional<ByteRange> lostAfterReading() {
    return ending
        .filter(e -> durableBytes() < e.readToBytes())
        .map(e -> new ByteRange(durableBytes(), e.readToBytes()));
  }

  /** Gives up the bytes of {@link #lostAfterReading()}: they become part of the gap. */
  public synchronized void concedeLostBytes() {
    ending =
        ending.map(
            e ->
                new Ending(
                    e.reason(),
                    Math.min(e.readToBytes(), durableBytes()),
                    Math.max(e.knownSizeBytes(), e.readToBytes()),
                    e.atMillis()));
    facts++;
  }

  /** Returns whether the archive says all that it should of a stream that goes on. */
  public synchronized boolean mayLeave() {
    return registered
        && ending.isEmpty()
        && !isUndescribed()
        && isEmptyNoted()
        && archived.isEmpty() // Nobody saves what the archive states.
        && durable.isContiguous();
  }

  /** Notes that the stream left memory: the table of files knows all of it. */
  public synchronized void leave() {
    left = true;
  }

  /** Returns whether it left memory: another object may be the stream by now. */
  public synchronized boolean hasLeft() {
    return left;
  }

  /** Returns whether the last checkpoint that was made says all that is known, but when. */
  public synchronized boolean isCheckpointed() {
    return checkpointed == factsOfCheckpoint() && !blocks.hasUnsaved();
  }

  @GuardedBy("this")
  private int factsOfCheckpoint() {
    return Objects.hash(
        durableBytes(),
        durable.marker(),
        seen.path(),
        seen.permissions(),
        seen.modificationTimeNanos(),
        seen.owner(),
        recorded,
        ending,
        changedInPlace,
        uncompared || blocks.isRevising(),
        suspected || archived.isPresent() || blocks.isRevisingUnknown(),
        lastRevision);
  }

  /** Returns whether there is something that the archive should say, and does not yet. */
  public synchronized boolean isUndescribed() {
    return facts != describedFacts || isRenamed();
  }

  /** Returns whether the archive tells where the file is, as far as it tells anything of it. */
  public synchronized boolean isPlaceTold() {
    return !isRenamed() && describedFacts >= factsOfArrival;
  }

  @GuardedBy("this")
  private boolean isRenamed() {
    return !seen.path().equals(recorded.path());
  }

  /** Returns what the archive should say of the stream beside its segments, and does not yet. */
  public synchronized Optional<Description> undescribed() {
    if (!isUndescribed()) {
      return Optional.empty();
    }
    Optional<Ending> told = endIsWithheld ? Optional.empty() : ending;
    long sizeBytes = told.map(Ending::readToBytes).orElseGet(this::durableBytes);
    StreamRecord record =
        new StreamRecord(
            origin.id(),
            origin.birthPath(),
            List.of(new StreamRecord.KnownPath(seen.path(), seen.atMillis(), arrivalNanos)),
            told.map(e -> new StreamRecord.End(e.reason(), e.readToBytes(), e.atMillis())),
            sizeBytes,
            seen.permissions(),
            seen.modificationTimeNanos(),
            changedInPlace,
            seen.owner());
    List<GapRecord> gaps =
        told.filter(Ending::destroyedUnreadBytes).map(this::gaps).orElse(List.of());
    return Optional.of(
        new Description(
            record,
            gaps,
            seen.path(),
            facts,
            new Corrections(isRenamed(), maybeCalledEnded, maybeCalledChanged)));
  }

  /** Returns the gaps; segments may have arrived behind one that did not. */
  @GuardedBy("this")
  private List<GapRecord> gaps(Ending destroyed) {
    ByteRange range = new ByteRange(destroyed.readToBytes(), destroyed.knownSizeBytes());
    return durable.missing(range).stream()
        .map(
            missing ->
                new GapRecord(origin.id(), missing, destroyed.explanation(), destroyed.atMillis()))
        .toList();
  }

  /** Notes that the archive says now what the description says. */
  public synchronized void described(Description description) {
    recorded = new Checkpoint.Recorded(description.path(), true);
    describedFacts = description.facts();
  }

  public synchronized Checkpoint checkpoint() {
    registered = true;
    checkpointed = factsOfCheckpoint();
    return new Checkpoint(
        identity,
        origin,
        seen,
        recorded,
        new Checkpoint.DurablePrefix(
            durable.contiguousBytes(), durable.marker().orElse(Marker.NONE)),
        ending,
        changedInPlace,
        new Checkpoint.Rewriting(
            uncompared || blocks.isRevising(),
            lastRevision,
            suspected || archived.isPresent() || blocks.isRevisingUnknown(),
            Map.of()));
  }

  /** Returns whether a checkpoint of this stream was ever asked for, and so saved. */
  public synchronized boolean isRegistered() {
    return registered;
  }

  /**
   * What the archive should say of a stream beside its segments.
   *
   * @param facts how many facts were known when it was made
   * @param corrections which of it must be said even where it is what a reader would assume
   */
  public record Description(
      StreamRecord record,
      List<GapRecord> gaps,
      PosixPath path,
      long facts,
      Corrections corrections) {
    /** Returns when the file was seen as the record says, milliseconds since 1970. */
    public long seenAtMillis() {
      return record.paths().getLast().sinceMillis();
    }
  }

  /**
   * What readers of the archive may believe until they are told otherwise.
   *
   * @param path that the file has another path
   * @param ended that the stream has ended
   * @param changed that bytes were changed in place, or that none were
   */
  public record Corrections(boolean path, boolean ended, boolean changed) {}
}
