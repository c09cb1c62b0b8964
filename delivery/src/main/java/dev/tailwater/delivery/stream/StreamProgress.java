package dev.tailwater.delivery.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far one stream is delivered to one destination, and what the archive does not say of it yet:
 * what is durable, what was last seen of the file, whether the stream has ended, which bytes were
 * replaced, and which facts the archive must say. Each of these is a part with a class of its own.
 * Thread-safe; nothing here blocks.
 */
public final class StreamProgress {
  private final FileIdentity identity;
  private final StreamOrigin origin;
  private final BlockSums blocks = new BlockSums();

  @GuardedBy("this")
  private final DurableRanges durable;

  @GuardedBy("this")
  private final SeenFile seen;

  @GuardedBy("this")
  private final StreamEnd end;

  @GuardedBy("this")
  private final Facts facts;

  @GuardedBy("this")
  private final Rewrites rewrites;

  @GuardedBy("this")
  private final ToldTime told;

  @GuardedBy("this")
  private final Undelivered undelivered;

  @GuardedBy("this")
  private boolean registered;

  /** Whether attributes of the file are in the archive, or on their way there. */
  @GuardedBy("this")
  private boolean stated;

  /** Whether somebody has asked whether the prefix tells the birth path, and the answer. */
  @GuardedBy("this")
  private boolean nameChecked;

  @GuardedBy("this")
  private boolean namedByBirthPath;

  /** What the last checkpoint said; a hash, which saves a write at most. */
  @GuardedBy("this")
  private int checkpointed;

  @GuardedBy("this")
  private boolean left;

  private StreamProgress(
      FileIdentity identity, StreamOrigin origin, PosixPath path, long seenAtMillis) {
    this.identity = identity;
    this.origin = origin;
    this.durable = new DurableRanges();
    this.seen = SeenFile.at(path, seenAtMillis);
    this.end = new StreamEnd(durable, Optional.empty());
    this.facts = new Facts(origin.birthPath());
    this.rewrites = new Rewrites(blocks);
    this.told = new ToldTime();
    this.undelivered = new Undelivered();
  }

  private StreamProgress(Checkpoint checkpoint, boolean isSaved) {
    this.identity = checkpoint.identity();
    this.origin = checkpoint.origin();
    this.durable = DurableRanges.upTo(checkpoint.durable().bytes(), checkpoint.durable().marker());
    this.seen = new SeenFile(checkpoint.seen());
    this.end = new StreamEnd(durable, checkpoint.ending());
    this.facts = new Facts(checkpoint);
    this.rewrites = new Rewrites(blocks, checkpoint);
    this.told = new ToldTime(seen, checkpoint.recorded().timeTold());
    this.undelivered = new Undelivered(checkpoint.undelivered());
    this.registered = true;
    this.checkpointed = isSaved ? hashOfCheckpoint() : 0;
  }

  /** Creates a stream of which nothing is delivered yet. */
  public static StreamProgress begin(
      String agent, FileIdentity identity, StreamId id, PosixPath path, long nowMillis) {
    String prefix = ArchiveNames.streamPrefix(agent, path, id);
    StreamProgress stream =
        new StreamProgress(identity, new StreamOrigin(id, path, prefix), path, nowMillis);
    stream.namedByBirthPath();
    return stream;
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
    end.found();
    seen.arrivedAt(arrivedNanos);
  }

  /** Creates a stream that only the archive knows, since the local state was lost. */
  public static StreamProgress rediscover(
      FileIdentity identity, StreamOrigin origin, PosixPath path) {
    StreamProgress found = new StreamProgress(identity, origin, path, 0);
    found.statesUnreadableTime(Long.MIN_VALUE); // Until packs tell it, which not all objects do.
    return found;
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

  /** Returns whether the stream is archived under this agent's name. */
  public boolean isOf(String agent) {
    return origin.isOf(agent);
  }

  public String streamPrefix() {
    return origin.prefix();
  }

  public PosixPath birthPath() {
    return origin.birthPath();
  }

  private synchronized void namedByBirthPath() {
    namedByBirthPath = true;
    nameChecked = true;
  }

  /**
   * Returns whether the names of its objects are those of its birth path, and so can be told from
   * it.
   */
  public synchronized boolean isNamedByBirthPath() {
    if (!nameChecked) {
      namedByBirthPath = origin.isPrefixOfBirthPath();
      nameChecked = true;
    }
    return namedByBirthPath;
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
    return seen.attributes();
  }

  /**
   * Notes which mode and owner of the file the archive has, or will have. It is told of others: of
   * those with which the file was seen by now, and of those with which it is seen later.
   *
   * @param owner empty if the archive does not say it
   */
  public synchronized void states(int permissions, Optional<FileOwner> owner) {
    stated = true;
    if (!seen.isKnown()) {
      seen.wasStated(permissions, owner);
    } else if (seen.isOtherThan(permissions, owner)) {
      seen.tellLater();
      facts.comeUp();
    }
  }

  /**
   * Notes which modification time of the file the archive has, or will have.
   *
   * @param atMillis as of when, milliseconds since 1970
   */
  public synchronized void statesTime(long modificationTimeNanos, long atMillis) {
    seen.toldAt(atMillis);
    told.stated(modificationTimeNanos, atMillis);
  }

  /**
   * Notes that the archive has a modification time of the file that the agent cannot read. The one
   * that the file has is told, unless both {@linkplain #supposesUnreadableTimes are supposed} to be
   * the same.
   */
  public synchronized void statesUnreadableTime(long atMillis) {
    told.statedUnreadably(atMillis);
  }

  /**
   * Takes modification times that the agent cannot read for the one that the file has. After a loss
   * of the state, telling all files' times again would cost a fact for each.
   */
  public synchronized void supposesUnreadableTimes() {
    told.suppose();
  }

  /**
   * Has the archive told of the modification time with which the file was last seen, if readers
   * know another one. The file holds what was read of it, so no bytes will tell that time.
   *
   * @param atOnce whether also if the archive was told of such a time just before
   */
  public synchronized void tellTime(long nowNanos, boolean atOnce) {
    OptionalLong time = seen.modificationTimeNanos();
    if (atOnce ? told.isOther(time) : mayTellTime(nowNanos)) {
      seen.tellLater();
      told.tellAlone(time.getAsLong(), seen.atMillis(), nowNanos);
      facts.comeUp();
    }
  }

  /** Returns whether {@link #tellTime} has the archive told of something. */
  public synchronized boolean mayTellTime(long nowNanos) {
    return told.isOther(seen.modificationTimeNanos()) && told.mayBeToldAlone(nowNanos);
  }

  /** Returns whether the archive has, or will have, the time with which the file was last seen. */
  public synchronized boolean isTimeTold() {
    return durable.isEmpty() || !told.isOther(seen.modificationTimeNanos());
  }

  public synchronized Optional<Ending> ending() {
    return end.ending();
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

  /**
   * Adds a range that the destination says it holds; the bytes before its end are not known. Where
   * others have {@linkplain #taken taken} a name, that is not believed.
   */
  public synchronized void holds(ByteRange range) {
    undelivered.ownPartsOf(range).forEach(durable::add);
  }

  /** Notes that the archive has bytes of others under the name of these. */
  public synchronized void taken(ByteRange range) {
    undelivered.taken(range);
  }

  /**
   * Returns the ranges that are told to be lost, and for which the archive has bytes of others, so
   * that it does not tell readers that they are; each time that is asked but the first, nothing.
   */
  public synchronized List<ByteRange> untoldLossToOthers() {
    return undelivered.untoldLossToOthers(end.lost());
  }

  /** Notes a size that the file was seen with in this stream, which has not ended. */
  public synchronized void sizeSeen(long sizeBytes) {
    undelivered.sizeSeen(sizeBytes);
  }

  /**
   * Returns the largest size that earlier runs have seen the file with in this stream, where they
   * noted that; else 0.
   */
  public synchronized long earlierSizeBytes() {
    return undelivered.earlierSizeBytes();
  }

  /** Returns whether bytes were seen that are not durable. */
  public synchronized boolean hasUndelivered() {
    return undelivered.sizeBytes() > durableBytes();
  }

  /** Returns whether bytes were seen that are not durable, and of which no checkpoint tells. */
  public synchronized boolean hasUnsavedSize() {
    return undelivered.hasUnsavedSize(durableBytes());
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
    return sizeBytes != durableBytes() || rewrites.isWrittenSinceSaved(nowModificationTimeNanos);
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
    boolean cameBack = seen.cameBack(place);
    boolean known = stated || !durable.isEmpty() || facts.isEverEmpty();
    boolean comparable = registered || seen.isKnown();
    if ((cameBack || seen.isOtherThan(permissions, Optional.of(nowOwnedBy)))
        && comparable
        && known) {
      facts.comeUp();
    }
    if (cameBack) {
      facts.cameBack();
    }
    seen.seen(place, permissions, modificationTimeNanos, nowOwnedBy, nowMillis);
  }

  /**
   * Notes the change time of the file as it was seen.
   *
   * @param modificationTimeNanos that of the same look
   */
  public synchronized void changeTimeSeen(
      long changeTimeNanos, long modificationTimeNanos, long nowMillis) {
    seen.changeTime().seen(changeTimeNanos, modificationTimeNanos, nowMillis);
  }

  /** Returns whether the file holds the bytes that were read of it if it has this change time. */
  public synchronized boolean isVouchedForBy(long changeTimeNanos) {
    OptionalLong vouching = seen.changeTime().vouching();
    return vouching.isPresent() && vouching.getAsLong() == changeTimeNanos;
  }

  /** Returns that time, or a later one, at which the archive may be told of the stream. */
  public synchronized long tellableMillis(long nowMillis) {
    return Math.max(nowMillis, seen.atMillis());
  }

  /** Notes that the archive is told of it at that time: what it is told next is later. */
  public synchronized void toldAt(long millis) {
    seen.toldAt(millis);
  }

  /**
   * Returns the file's modification time when it was last seen; empty when nothing is durable, or
   * the time is not known.
   */
  public synchronized OptionalLong timeOfDurableBytes() {
    return durableBytes() > 0 ? seen.modificationTimeNanos() : OptionalLong.empty();
  }

  /** Returns the checksums of what is delivered, and which bytes were replaced since. */
  public BlockSums blocks() {
    return blocks;
  }

  /** Notes whether the file was written to since it was compared with what is delivered. */
  public synchronized void uncompared(boolean now) {
    rewrites.uncompared(now);
  }

  /**
   * Notes that the file was compared as it was last seen, and has to be once more: bytes may be
   * stored without a sign.
   */
  public synchronized void comparesOnceMore() {
    rewrites.comparesOnceMore();
  }

  /** Returns whether the file has to be compared with what is delivered. */
  public synchronized boolean isUncompared() {
    return rewrites.isUncompared();
  }

  /** Notes whether bytes may have been replaced where no checksum of them is known. */
  public synchronized void suspected(boolean now) {
    rewrites.suspected(now);
  }

  /** Returns whether bytes may have been replaced where no checksum of them is known. */
  public synchronized boolean isSuspected() {
    return rewrites.isSuspected();
  }

  /** Notes what the archive states of the bytes: the file is to be compared with that. */
  public synchronized void archiveStates(ArchivedContent content) {
    rewrites.archiveStates(content);
  }

  /** Returns what the archive states of bytes that were not compared with the file since. */
  public synchronized Optional<ArchivedContent> archived() {
    return rewrites.archived();
  }

  /** Notes that the file was compared with what the archive states. */
  public synchronized void comparedWithArchive() {
    rewrites.comparedWithArchive();
  }

  /**
   * Notes which revisions the destination holds.
   *
   * @param highest 0 if there are none
   * @param replaced the ranges of all
   * @param replacedByHighest the ranges of the highest one
   */
  public synchronized void holdsRevisions(
      long highest, RangeSet replaced, RangeSet replacedByHighest) {
    rewrites.holdsRevisions(highest, replaced, replacedByHighest);
  }

  /** Returns the highest revision that was used; 0 when none was. */
  public synchronized long lastRevision() {
    return rewrites.lastRevision();
  }

  /** Returns a revision that is higher than every earlier one. */
  public synchronized long nextRevision(long nowMillis) {
    return rewrites.nextRevision(nowMillis);
  }

  /** Returns whether bytes were changed in the file after they had been read. */
  public synchronized boolean isChangedInPlace() {
    return rewrites.isChangedInPlace();
  }

  /** Notes whether bytes were changed after they had been read. */
  public synchronized void changedInPlace(boolean changed) {
    if (rewrites.changedInPlace(changed)) {
      facts.changedInPlace();
    }
  }

  /**
   * Returns whether the archive has, or will get, all that it should say while the file is empty.
   */
  public synchronized boolean isEmptyNoted() {
    return !durable.isEmpty() || facts.isEmptySince(seen.modificationTimeNanos().orElse(0));
  }

  /** Notes that the file is empty, which the archive must say. */
  public synchronized void seenEmpty() {
    if (!isEmptyNoted()) {
      facts.emptySince(seen.modificationTimeNanos().orElse(0));
    }
  }

  /**
   * Notes that the destination holds segments that no checkpoint knows, with any path and mode in
   * their headers: what is so is recorded.
   */
  public synchronized void holdsUnknownHeaders() {
    facts.unknownHeaders();
  }

  /** Notes that the destination holds a record with unknown content: it is written anew. */
  public synchronized void holdsRecord() {
    facts.unknownRecord();
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
    facts.archiveSays(path, ended, changed, emptySinceNanos);
    if (changed) {
      var _ = rewrites.changedInPlace(true); // No news for them.
    }
  }

  /** Ends the stream. What was read before is still delivered. */
  public synchronized void end(Ending ending) {
    end.end(ending.notBefore(seen.atMillis()));
    facts.ended();
  }

  /**
   * Ends the stream, but does not let the archive be told of it before {@link #announceEnd}: an
   * agent that is killed before its checkpoint is saved must not go on in a stream that readers
   * believe to have ended.
   */
  public synchronized void endUnannounced(Ending unsaved) {
    end.endUnannounced(unsaved.notBefore(seen.atMillis()));
  }

  /** Lets the archive be told that the stream has ended. */
  public synchronized void announceEnd() {
    end.announce();
    facts.ended();
  }

  /** Ends the stream since its file is not there; false when that was found meanwhile. */
  public synchronized boolean endVanished(long nowMillis) {
    boolean ended = end.endVanished(undelivered.sizeBytes(), Math.max(nowMillis, seen.atMillis()));
    if (ended) {
      facts.ended();
    }
    return ended;
  }

  /** Reopens the stream, since its file is back. */
  public synchronized void reopen() {
    if (end.reopen()) {
      facts.comeUp();
    }
  }

  /** Returns whether the stream has ended and every byte that was read of it is durable. */
  public synchronized boolean isComplete() {
    return end.isComplete();
  }

  /** Returns whether the stream {@link #isComplete}, and the archive says all that it should. */
  public synchronized boolean isToldComplete() {
    return isComplete() && !isUndescribed();
  }

  /**
   * Returns the bytes that were read but never became durable, and whose file is gone: after a
   * crash they are lost, and the archive must say so.
   */
  public synchronized Optional<ByteRange> lostAfterReading() {
    return end.lostAfterReading();
  }

  /** Gives up the bytes of {@link #lostAfterReading()}: they become part of the gap. */
  public synchronized void concedeLostBytes() {
    end.concedeLost();
    facts.comeUp();
  }

  /** Returns whether the archive says all that it should of a stream that goes on. */
  public synchronized boolean mayLeave() {
    return registered
        && end.ending().isEmpty()
        && !isUndescribed()
        && isEmptyNoted()
        && isTimeTold()
        && rewrites.archived().isEmpty() // Nobody saves what the archive states.
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
    return checkpointed == hashOfCheckpoint() && !blocks.hasUnsaved();
  }

  @GuardedBy("this")
  private int hashOfCheckpoint() {
    int hash = Long.hashCode(durableBytes());
    hash = 31 * hash + durable.marker().hashCode();
    hash = 31 * hash + seen.hashOfCheckpoint();
    hash = 31 * hash + facts.hashOfCheckpoint();
    hash = 31 * hash + Boolean.hashCode(isTimeSurelyTold());
    hash = 31 * hash + end.ending().hashCode();
    hash = 31 * hash + rewrites.hashOfCheckpoint();
    return 31 * hash + undelivered.hashOfCheckpoint();
  }

  /**
   * Returns whether the archive tells the time even if this run ends now. What replaces bytes, and
   * is not durable yet, may turn out to be the same bytes.
   */
  @GuardedBy("this")
  private boolean isTimeSurelyTold() {
    return isTimeTold() && (durable.isEmpty() || !blocks.isRevising());
  }

  /** Returns whether there is something that the archive should say, and does not yet. */
  public synchronized boolean isUndescribed() {
    return facts.isUndescribed(seen.path());
  }

  /**
   * Returns whether something is undescribed that no checkpoint tells. Of one that is resumed:
   * whether the run before has left something unsaid.
   */
  public synchronized boolean hasUnsaid() {
    return !facts.isComplete();
  }

  /**
   * Returns whether the archive has bytes of the file or, if it is empty, says that it is there.
   */
  public synchronized boolean isInArchive() {
    return !durable.isEmpty() || facts.isRecorded();
  }

  /** Returns whether the archive tells where the file is, as far as it tells anything of it. */
  public synchronized boolean isPlaceTold() {
    return facts.isPlaceTold(seen.path());
  }

  /** Returns what the archive should say of the stream beside its segments, and does not yet. */
  public synchronized Optional<Description> undescribed() {
    if (!isUndescribed()) {
      return Optional.empty();
    }
    Attributes attributes = seen.attributes();
    Optional<Ending> told = end.told();
    StreamRecord record =
        new StreamRecord(
            origin.id(),
            origin.birthPath(),
            List.of(seen.knownPath()),
            told.map(e -> new StreamRecord.End(e.reason(), e.readToBytes(), e.atMillis())),
            told.map(Ending::readToBytes).orElseGet(this::durableBytes),
            attributes.permissions(),
            attributes.modificationTimeNanos(),
            rewrites.isChangedInPlace(),
            attributes.owner());
    return Optional.of(
        new Description(
            record,
            end.gaps(origin.id()),
            seen.path(),
            facts.count(),
            facts.corrections(seen.path())));
  }

  /** Notes that the archive says now what the description says. */
  public synchronized void described(Description description) {
    facts.described(description);
    told.described(description.record().modificationTimeNanos(), description.seenAtMillis());
  }

  public synchronized Checkpoint checkpoint() {
    registered = true;
    checkpointed = hashOfCheckpoint();
    return new Checkpoint(
        identity,
        origin,
        seen.lastSeen(),
        facts.recorded(isTimeSurelyTold()),
        new Checkpoint.DurablePrefix(
            durable.contiguousBytes(), durable.marker().orElse(Marker.NONE)),
        end.ending(),
        rewrites.isChangedInPlace(),
        rewrites.rewriting(),
        undelivered.save(durable));
  }

  /** Returns whether a checkpoint of this stream was ever asked for, and so saved. */
  public synchronized boolean isRegistered() {
    return registered;
  }
}
