package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A file as one destination needs it: the stream that the file is at, and how far that stream is
 * read.
 *
 * <p>Thread-safe: the watch refreshes it while a worker reads. The lock is never held during a
 * native call, so that nobody who asks about a file waits for its file server. Only the worker that
 * has claimed the tail begins a new stream or moves the position; but until it has {@linkplain #pin
 * pinned} the tail, the worker of another destination may move it on over what that has sealed from
 * the same position.
 */
public final class Tail implements SealTurns.Pinnable {
  /** Longer than the steps in which any file system counts the times of files. */
  private static final long TIME_HAS_PASSED_MILLIS = 2_000;

  /**
   * How often the file is looked at, one look after the other, to tell an append from a rewrite.
   */
  public static final int LOOKS_AT_APPEND = 4;

  private final WatchedFile file;
  private final int lane;
  private final TailScheduling scheduling = new TailScheduling();

  @GuardedBy("this")
  private StreamProgress stream;

  @GuardedBy("this")
  private long positionBytes;

  @GuardedBy("this")
  private Marker marker = Marker.NONE;

  @GuardedBy("this")
  private boolean resumed;

  @GuardedBy("this")
  private boolean identified;

  @GuardedBy("this")
  private boolean continued;

  @GuardedBy("this")
  private boolean pinned;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private long observedBytes;

  /** The largest size seen since the stream that follows a truncation was looked for. */
  @GuardedBy("this")
  private long seenForNextBytes;

  @GuardedBy("this")
  private long confirmedBytes;

  @GuardedBy("this")
  private PendingComparison comparison = new PendingComparison();

  @GuardedBy("this")
  private InPlaceChange inPlace;

  @GuardedBy("this")
  private ComparedState compared;

  /** Whether some of the file may have been read, although the position is still 0. */
  @GuardedBy("this")
  private boolean readBegun;

  @GuardedBy("this")
  private boolean reportedChanged;

  @GuardedBy("this")
  private OptionalLong unreadSinceNanos = OptionalLong.empty();

  /** When the last look that was taken in began. */
  @GuardedBy("this")
  private OptionalLong lookedNanos = OptionalLong.empty();

  @GuardedBy("this")
  private long lastGrowthNanos;

  @GuardedBy("this")
  private long lastChangeNanos;

  /** How often what is known of the size has changed. */
  @GuardedBy("this")
  private long news;

  /**
   * Creates a tail.
   *
   * @param lane the number of the destination among the agent's
   * @param resumed whether it is certain that no earlier run delivered anything of the stream
   * @param identified whether it is certain that this is the stream; otherwise {@link #identify}
   *     follows
   */
  public Tail(
      WatchedFile file, int lane, StreamProgress stream, boolean resumed, boolean identified) {
    this.file = file;
    this.lane = lane;
    this.stream = stream;
    this.positionBytes = stream.durableBytes();
    this.observedBytes = positionBytes;
    this.resumed = resumed;
    this.continued = !resumed;
    this.identified = identified;
    this.inPlace = sinceCheckpoint(stream);
    this.compared = comparedState();
  }

  /** Returns what tells whether a file was changed since its checkpoint was saved. */
  private static InPlaceChange sinceCheckpoint(StreamProgress saved) {
    InPlaceChange change =
        new InPlaceChange(
            saved.timeOfDurableBytes(), saved.isChangedInPlace(), saved.isSuspected());
    boolean remembered = !saved.blocks().hasUnknown(saved.durableBytes());
    return remembered ? change : change.unwatched();
  }

  @GuardedBy("this")
  private ComparedState comparedState() {
    return new ComparedState(stream.isUncompared() || stream.isChangedInPlace());
  }

  public WatchedFile file() {
    return file;
  }

  /** Returns the number of the destination among the agent's. */
  public int lane() {
    return lane;
  }

  /** Returns what decides when the tail is sealed next. */
  public TailScheduling scheduling() {
    return scheduling;
  }

  public synchronized StreamProgress stream() {
    return stream;
  }

  /** Returns the last known name of the file. */
  public PosixPath name() {
    return file.name();
  }

  /** Leases the file's descriptor; empty when the file is not open. */
  public Optional<SharedDescriptor.Lease> lease() {
    return file.lease();
  }

  /** Returns whether a look at the file has begun after that. */
  public synchronized boolean wasLookedAtAfter(long nanos) {
    return lookedNanos.isPresent() && lookedNanos.getAsLong() - nanos > 0;
  }

  /** Returns when the file was last seen to have grown. */
  public synchronized long lastGrowthNanos() {
    return lastGrowthNanos;
  }

  /** Returns when the file was last seen to have been written to. */
  public synchronized long lastChangeNanos() {
    return lastChangeNanos;
  }

  /**
   * Looks at the file's size and attributes through its descriptor; empty when it is not open.
   * Looks again when something else was learnt of the size meanwhile, since an outdated size would
   * be taken for a truncation. May block as long as the file system does, without a lock.
   */
  public Optional<FileStatus> refresh(long nowNanos, long nowMillis) throws ErrnoException {
    for (int looks = 1; ; looks++) {
      long newsBefore = news();
      Optional<SharedDescriptor.Lease> lease = file.lease();
      if (lease.isEmpty()) {
        return Optional.empty();
      }
      FileStatus status;
      try (SharedDescriptor.Lease open = lease.get()) {
        status = open.calls().fstat(open.fd());
      }
      file.seenLinks(status.links());
      if (observe(newsBefore, status, file.owner(status), nowNanos, nowMillis)) {
        if (isSuspectedOfChange()) {
          if (looks < LOOKS_AT_APPEND) {
            continue; // An append that was met halfway grows the file now.
          }
          file.suspect();
        }
        requestComparison();
        return Optional.of(status);
      }
    }
  }

  /**
   * Has the file compared, if it was written to since that was done last, or checksums of it are
   * lost. Each look asks for it; so does who waits, since what was unread at the last look may have
   * been read by now.
   */
  public void requestComparison() {
    boolean changed;
    synchronized (this) {
      if (ended || (isCompared() && !hasUnknown())) {
        return;
      }
      changed = inPlace.isSuspected() || inPlace.isConfirmed();
    }
    if (changed) {
      file.comparisons().changed(this);
    } else {
      file.comparisons().grown(this);
    }
  }

  /**
   * Notes that the file was written to and did not grow between the look whose time the archive has
   * for a range and the end of reading it. The range may have the new bytes beside the old time,
   * and its end is delivered once more, with the new time.
   *
   * @param endBytes of the range
   */
  public void overwrittenWhileRead(long endBytes) {
    synchronized (this) {
      stream.blocks().outdated(endBytes);
      compared.changed();
      stream.uncompared(true);
    }
    requestComparison();
  }

  private synchronized long news() {
    return news;
  }

  /**
   * Looks at the file as {@link #refresh} does, and takes up any suspicion that its bytes were
   * replaced: the caller compares them before it reads on.
   */
  public Optional<FileStatus> refreshForReading(long nowNanos, long nowMillis)
      throws ErrnoException {
    Optional<FileStatus> status = refreshForNextStream(nowNanos, nowMillis);
    synchronized (this) {
      comparison.begin();
      readBegun = true;
    }
    return status;
  }

  /**
   * Notes that the file was written to. If it has not grown, it may have been written anew with the
   * size that it had, so the bytes before the position must be compared.
   *
   * @return whether that is so: there may be work that the last {@link #refresh} did not find
   */
  public synchronized boolean suspect() {
    boolean suspected = positionBytes > 0 && observedBytes == positionBytes;
    comparison.suspect(suspected);
    return suspected;
  }

  /** Takes in a status; false when it may be older than what is known. */
  private synchronized boolean observe(
      long newsBefore, FileStatus status, FileOwner owner, long nowNanos, long nowMillis) {
    if (news != newsBefore) {
      return false;
    }
    news++;
    lookedNanos = OptionalLong.of(nowNanos);
    boolean grown = status.sizeBytes() > observedBytes;
    boolean modified = isModified(status);
    if (file.comparisons().compares() && (grown || modified)) {
      stream.uncompared(true);
    }
    seenForNextBytes = Math.max(seenForNextBytes, status.sizeBytes());
    if (status.sizeBytes() < observedBytes) {
      comparison.shrunk();
    } else {
      observeLength(status, grown, modified, nowNanos, nowMillis);
    }
    // Last: a checkpoint with the new time must say what is known of the change.
    stream.seen(
        file.archivedPlace(),
        status.permissions(),
        status.modificationTimeNanos(),
        owner,
        nowMillis);
    return true;
  }

  /** Takes in the status of a file that has not shrunk. */
  @GuardedBy("this")
  private void observeLength(
      FileStatus status, boolean grown, boolean modified, long nowNanos, long nowMillis) {
    if (modified && !grown) {
      suspect();
    }
    look(status, grown, nowNanos);
    if (isReadAfter(status, nowMillis)) {
      compared.compared(compared.changes());
      stream.uncompared(false);
    }
    if (observedBytes > positionBytes && unreadSinceNanos.isEmpty()) {
      unreadSinceNanos = OptionalLong.of(nowNanos);
    }
  }

  /**
   * Returns whether all of the file will be read after its last change, so that there is nothing to
   * compare: the time of any later change is another one.
   */
  @GuardedBy("this")
  private boolean isReadAfter(FileStatus status, long nowMillis) {
    return positionBytes == 0
        && !readBegun
        && identified
        && resumed
        && nowMillis - TimeUnit.NANOSECONDS.toMillis(status.modificationTimeNanos())
            >= TIME_HAS_PASSED_MILLIS;
  }

  @GuardedBy("this")
  private boolean isModified(FileStatus status) {
    OptionalLong before = inPlace.modificationTimeNanos();
    return before.isPresent() && before.getAsLong() != status.modificationTimeNanos();
  }

  @GuardedBy("this")
  private void look(FileStatus status, boolean grown, long nowNanos) {
    boolean written = grown || isModified(status);
    inPlace.look(
        new InPlaceChange.Look(
            status.modificationTimeNanos(),
            grown,
            positionBytes > 0 || !resumed,
            !comparison.isPending(),
            positionBytes > marker.lengthBytes() || !resumed,
            nowNanos));
    stream.suspected(inPlace.isPossible());
    if (!file.comparisons().compares()) {
      stream.changedInPlace(inPlace.isConfirmed());
    } else if (written) {
      compared.changed();
      stream.uncompared(true);
    }
    if (grown) {
      lastGrowthNanos = nowNanos;
    }
    if (written) {
      lastChangeNanos = nowNanos;
    }
    observedBytes = status.sizeBytes();
  }

  public synchronized long positionBytes() {
    return positionBytes;
  }

  /** Returns the position with its stream and marker, all of the same moment. */
  public synchronized Position position() {
    return new Position(stream, positionBytes, marker);
  }

  /**
   * Makes sure that only the caller moves the position from now on; false when the position has
   * moved already.
   */
  @Override
  public synchronized boolean pin(Position at) {
    if (stream != at.stream() || positionBytes != at.bytes() || !marker.equals(at.marker())) {
      return false;
    }
    pinned = true;
    return true;
  }

  @Override
  public synchronized void unpin() {
    pinned = false;
  }

  /**
   * Moves on over a range that another destination's worker has sealed, if this tail is in step: at
   * the same position of the same stream, with nothing of the range delivered.
   *
   * @param read the checksums of the bytes
   * @param status of the file when reading began
   * @param statusAtNanos when that was
   * @return the stream to deliver the range to; empty when the tail has not moved
   */
  public synchronized Optional<StreamProgress> follow(
      Position from,
      long endBytes,
      Marker markerAtEnd,
      BlockRun read,
      FileStatus status,
      long statusAtNanos) {
    Position here = position();
    if (ended
        || pinned
        || comparison.isShrunk()
        || !resumed
        || !here.place().equals(from.place())) {
      return Optional.empty();
    }
    ByteRange missing = stream.nextMissing(positionBytes);
    if (missing.startBytes() != positionBytes || missing.endBytes() < endBytes) {
      return Optional.empty();
    }
    if (status.sizeBytes() > observedBytes) {
      look(status, true, statusAtNanos); // Or that write would seem to have come later.
    }
    if (!readBegun && file.comparisons().compares()) {
      readBegun = true;
      compared.changed(); // Perhaps after the other destination's worker read it.
      stream.uncompared(true);
    }
    confirm(status.sizeBytes());
    advance(endBytes, markerAtEnd, read, endBytes < status.sizeBytes(), statusAtNanos);
    return Optional.of(stream);
  }

  /**
   * Replaces the stream, before anything was read, by one that the destination knows. The caller
   * refreshes the tail next, which compares the file with what is known of the stream.
   *
   * @param resumed whether it is certain that no earlier run delivered anything of it
   */
  public synchronized void identify(StreamProgress known, boolean resumed) {
    news++;
    stream = known;
    positionBytes = known.durableBytes();
    marker = Marker.NONE;
    observedBytes = Math.max(observedBytes, positionBytes);
    OptionalLong timeNanos = known.timeOfDurableBytes();
    inPlace =
        timeNanos.isPresent()
            ? sinceCheckpoint(known)
            : new InPlaceChange(
                inPlace.modificationTimeNanos(),
                known.isChangedInPlace(),
                known.isSuspected() || inPlace.isPossible());
    compared = comparedState();
    this.resumed = resumed;
    this.continued = !resumed;
    identified = true;
  }

  /** Returns whether it is certain which stream the file is at. */
  public synchronized boolean isIdentified() {
    return identified;
  }

  /** Returns whether this run has checked the position against the file and the destination. */
  public synchronized boolean isResumed() {
    return resumed;
  }

  /** Returns whether an earlier run may have delivered streams that follow the present one. */
  public synchronized boolean isContinued() {
    return continued;
  }

  /** Notes that nothing is delivered of the present stream, nor of any that follows it. */
  public synchronized void nothingFollows() {
    continued = false;
  }

  /** Returns the largest size that the file was seen with in its present stream. */
  public synchronized long observedBytes() {
    return observedBytes;
  }

  /** Notes that the bytes before the position were unchanged when the file had this size. */
  public synchronized void confirm(long sizeBytes) {
    confirmedBytes = Math.max(confirmedBytes, sizeBytes);
    comparison.confirmed();
  }

  /**
   * Returns the largest size that the stream is certain to have had before a truncation. Sizes that
   * were seen after a truncation that nobody noticed belong to the next stream. A file that was
   * never seen with another size than it has was overwritten, not truncated: nothing of it ended
   * behind the position.
   */
  public synchronized long sizeBeforeTruncationBytes() {
    if (comparison.isShrunk()) {
      return Math.max(positionBytes, observedBytes);
    }
    return observedBytes == confirmedBytes
        ? positionBytes
        : Math.max(positionBytes, confirmedBytes);
  }

  /** Returns how many bytes have been seen in the file and not been read. */
  public synchronized long unreadBytes() {
    return Math.max(0, observedBytes - positionBytes);
  }

  /** Returns whether every byte that was read is durable at the destination. */
  public synchronized boolean isAllReadDurable() {
    return stream.durableBytes() >= positionBytes;
  }

  /** Returns how many bytes have been written and are not durable at the destination. */
  public synchronized long atRiskBytes() {
    return Math.max(0, observedBytes - stream.durableBytes()) + stream.blocks().revisingBytes();
  }

  /** Returns whether bytes of it were replaced, and the new ones wait to be read. */
  public synchronized boolean hasRewritten() {
    return stream.blocks().hasRewritten();
  }

  /**
   * Returns whether what was read is what the file holds, as far as it was seen, and all of that is
   * durable.
   */
  public synchronized boolean isCompared() {
    return !file.comparisons().compares()
        || ((positionBytes == 0 || compared.isCompared()) && !stream.blocks().isRevising());
  }

  /** Returns whether checksums of what was delivered are lost, and can be learnt. */
  public synchronized boolean hasUnknown() {
    return file.comparisons().compares()
        && resumed
        && !stream.isChangedInPlace()
        && stream.blocks().hasUnknown(Math.min(positionBytes, stream.durableBytes()));
  }

  /** Returns whether the file is compared but for the checksums that are lost. */
  public synchronized boolean needsOnlyLearning() {
    return isCompared() && hasUnknown();
  }

  /** Returns how often the file was seen to have been written to in its present stream. */
  public synchronized long changes() {
    return compared.changes();
  }

  /** Returns whether a comparison is to come that begins after so many changes. */
  public synchronized boolean awaitsComparison(long untilChanges) {
    return !ended
        && file.comparisons().compares()
        && file.isOpen()
        && positionBytes > 0
        && compared.isPending(Math.min(untilChanges, compared.changes()));
  }

  /** Returns whether a comparison is to come. */
  public synchronized boolean awaitsComparison() {
    return awaitsComparison(compared.changes());
  }

  /** Returns whether it is certain that bytes which were read have been replaced. */
  public synchronized boolean isKnownToBeChanged() {
    return inPlace.isConfirmed() || stream.isChangedInPlace();
  }

  /**
   * Returns whether bytes that were read may have been replaced until the file had this status: it
   * was written to and has not grown, or that is known already.
   */
  public synchronized boolean mayBeChanged(FileStatus now) {
    boolean unseen = !wasSeenWith(now) && now.sizeBytes() <= observedBytes;
    return unseen || inPlace.isPossible() || isKnownToBeChanged();
  }

  /**
   * Notes that all that is durable was compared with the file, and what differs is to be delivered.
   *
   * @param of the stream that was compared
   * @param changesAtBegin the number of {@link #changes} before anything was read
   * @param undeliverable whether it differs where nothing can be delivered
   */
  public synchronized void compared(StreamProgress of, long changesAtBegin, boolean undeliverable) {
    if (stream != of) {
      return;
    }
    compared.compared(changesAtBegin);
    if (compared.isCompared()) {
      inPlace.settled();
      stream.uncompared(false);
      stream.suspected(false);
    }
    stream.changedInPlace(undeliverable);
  }

  /** Has all that was read compared, although nothing was seen to be written to it. */
  public synchronized void uncompared() {
    compared.changed();
    stream.uncompared(true);
  }

  /** Notes that the file could not be compared. */
  public synchronized void comparisonFailed(StreamProgress of, long changesAtBegin) {
    if (stream == of) {
      compared.failed(changesAtBegin);
    }
  }

  /** Returns whether there is something for a worker to do. */
  public synchronized boolean hasWork() {
    return !ended
        && (comparison.isPending()
            || !resumed
            || observedBytes > positionBytes
            || stream.blocks().hasRewritten()
            || (observedBytes == 0 && !stream.isEmptyNoted()));
  }

  /** Returns when the oldest unread byte was seen; empty when there is none. */
  public synchronized OptionalLong unreadSinceNanos() {
    return unreadSinceNanos;
  }

  /** Returns since when the tail has something to be read: unread or replaced bytes. */
  public synchronized OptionalLong workSinceNanos() {
    OptionalLong replaced = stream.blocks().rewrittenSinceNanos();
    return replaced.isPresent()
            && (unreadSinceNanos.isEmpty()
                || replaced.getAsLong() - unreadSinceNanos.getAsLong() < 0)
        ? replaced
        : unreadSinceNanos;
  }

  /** Returns whether the file may have other bytes than those that were read of its stream. */
  public synchronized boolean isInDoubt() {
    return !ended && observedBytes > 0 && (comparison.isPending() || !resumed);
  }

  /**
   * Returns whether bytes were changed in the file after they had been read; the changed bytes are
   * never delivered.
   */
  public synchronized boolean isChangedInPlace() {
    return stream.isChangedInPlace();
  }

  /**
   * Returns whether bytes that were read may have been replaced, as far as looks at the file tell:
   * it was written to, and no append explains that.
   */
  public synchronized boolean isPerhapsRewritten() {
    return inPlace.isPossible() || stream.isChangedInPlace();
  }

  /** Returns whether another look must tell a change in place from an append that is under way. */
  public synchronized boolean isSuspectedOfChange() {
    return !ended && inPlace.isSuspected();
  }

  /** Returns whether such a look is all that is needed to settle a suspicion. */
  public synchronized boolean isChangeSettling() {
    return isSuspectedOfChange() && !comparison.isPending();
  }

  /** Returns whether the file was last seen with this modification time. */
  public synchronized boolean wasSeenWith(FileStatus status) {
    OptionalLong seen = inPlace.modificationTimeNanos();
    return seen.isPresent() && seen.getAsLong() == status.modificationTimeNanos();
  }

  /**
   * Returns whether {@link #isChangedInPlace} has changed since this was called last; initially it
   * is false.
   */
  public synchronized boolean takeNewsOfChange() {
    boolean changed = reportedChanged != stream.isChangedInPlace();
    reportedChanged = stream.isChangedInPlace();
    return changed;
  }

  /** Returns whether the file was truncated since its present stream began. */
  public synchronized boolean isShrunk() {
    return comparison.isShrunk();
  }

  /** Sets a position that was checked against the file: reading goes on from here. */
  public synchronized void resumeAt(long positionBytes, Marker marker) {
    news++;
    this.positionBytes = positionBytes;
    this.marker = marker;
    this.resumed = true;
    this.observedBytes = Math.max(observedBytes, positionBytes);
    if (observedBytes == positionBytes) {
      unreadSinceNanos = OptionalLong.empty();
    }
    if (positionBytes == 0) {
      inPlace.settled(); // Nothing was delivered that could have been replaced.
      stream.suspected(false);
    }
  }

  /**
   * Moves the position over bytes that were read and handed over.
   *
   * @param read the checksums of the bytes
   * @param sizeSeenAtNanos when the size that bounded the reading was seen: what is unread at the
   *     new position was written later, unless reading stopped early
   */
  public synchronized void advance(
      long positionBytes,
      Marker marker,
      BlockRun read,
      boolean stoppedEarly,
      long sizeSeenAtNanos) {
    news++;
    stream.blocks().append(read);
    this.positionBytes = positionBytes;
    this.marker = marker;
    this.observedBytes = Math.max(observedBytes, positionBytes);
    if (observedBytes == positionBytes) {
      unreadSinceNanos = OptionalLong.empty();
    } else if (!stoppedEarly) {
      unreadSinceNanos = OptionalLong.of(sizeSeenAtNanos);
    }
  }

  /**
   * Looks at the file as {@link #refresh} does. If its present stream turns out to have ended
   * before this look, the sizes seen from now on are the next stream's.
   */
  public Optional<FileStatus> refreshForNextStream(long nowNanos, long nowMillis)
      throws ErrnoException {
    synchronized (this) {
      news++;
      seenForNextBytes = 0;
    }
    return refresh(nowNanos, nowMillis);
  }

  /**
   * Begins the stream that follows a truncation. Its size is the largest that was seen since it was
   * looked for: saving may have taken long, and what the watch saw meanwhile may be gone by now.
   */
  public void beginStream(StreamProgress next, FileStatus status, boolean resumed, long nowMillis) {
    noteSeen(next, status, nowMillis);
    beginStream(next, status, resumed);
  }

  /**
   * Notes in a stream that is to begin what the file is like, since it is saved before it begins.
   */
  public void noteSeen(StreamProgress next, FileStatus status, long nowMillis) {
    next.seen(
        file.archivedPlace(),
        status.permissions(),
        status.modificationTimeNanos(),
        file.owner(status),
        nowMillis);
  }

  private synchronized void beginStream(StreamProgress next, FileStatus status, boolean resumed) {
    news++;
    stream = next;
    positionBytes = 0;
    marker = Marker.NONE;
    confirmedBytes = 0;
    comparison = new PendingComparison();
    inPlace = new InPlaceChange(OptionalLong.of(status.modificationTimeNanos()), false, false);
    compared = new ComparedState(true);
    readBegun = true;
    reportedChanged = false;
    this.resumed = resumed;
    observedBytes = Math.max(status.sizeBytes(), seenForNextBytes);
    if (observedBytes == 0) {
      unreadSinceNanos = OptionalLong.empty();
    }
  }

  /**
   * Returns whether the file has nothing at risk, and its stream says all that is known of it, so
   * that a tail that {@linkplain #comeBack comes back} knows as much.
   */
  public synchronized boolean mayLeave() {
    return identified
        && resumed
        && !ended
        && !hasWork()
        && atRiskBytes() == 0
        && isCompared()
        && !hasUnknown()
        && !inPlace.isSuspected()
        && !isKnownToBeChanged()
        && positionBytes == stream.durableBytes()
        && observedBytes == positionBytes
        && (positionBytes == 0 || stream.marker().isPresent())
        && stream.attributes().place().equals(file.archivedPlace())
        && stream.mayLeave();
  }

  /** Returns a hash of the file's attributes as they were last seen; empty if they were not. */
  public OptionalInt attributes() {
    return FileAttributes.hash(observedBytes(), stream().attributes());
  }

  /**
   * Creates the tail of a file that {@linkplain #mayLeave left memory}.
   *
   * @param stream as the table of files has it
   */
  public static Tail comeBack(WatchedFile file, int lane, StreamProgress stream) {
    Tail tail = new Tail(file, lane, stream, true, true);
    synchronized (tail) {
      tail.marker = stream.marker().orElse(Marker.NONE);
      tail.continued = true; // Perhaps.
      tail.readBegun = true;
    }
    return tail;
  }

  /** Ends the tail: nothing more is read. */
  public void end() {
    synchronized (this) {
      ended = true;
    }
    file.comparisons().ended(this); // Has a lock that comes before this one.
  }

  public synchronized boolean isEnded() {
    return ended;
  }
}
