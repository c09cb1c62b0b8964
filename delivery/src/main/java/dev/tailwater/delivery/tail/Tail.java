package dev.tailwater.delivery.tail;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One file as one destination needs it: the stream that the file is at, and how far that stream is
 * read.
 *
 * <p>Thread-safe: the watch refreshes it while a worker reads. The lock is never held over a native
 * call, so that whoever asks what is known of a file does not wait for its file server. Only the
 * worker that has claimed the tail starts a new stream or moves the position; but as long as it has
 * not {@linkplain #pin pinned} the tail, the worker of another destination may move it on by what
 * it has sealed from the very same position.
 */
public final class Tail {
  private final WatchedFile file;
  private final int lane;
  private StreamProgress stream;

  private long positionBytes;
  private Marker marker = Marker.NONE;
  private boolean resumed;
  private boolean identified;

  private long observedBytes;
  private long confirmedBytes;
  private boolean shrunk;
  private boolean suspect;

  /** A worker has taken the suspicion up, and has not yet compared. */
  private boolean comparing;

  private InPlaceChange inPlace;
  private boolean toldChanged;
  private boolean emptyTold;
  private boolean pinned;
  private OptionalLong unreadSinceNanos = OptionalLong.empty();
  private OptionalLong deferredUntilNanos = OptionalLong.empty();
  private OptionalLong servedNanos = OptionalLong.empty();
  private long lastGrowthNanos;
  private double rawPerStagedByte = 1;
  private boolean ended;
  private boolean continued;

  /** How often there was news of the file's size. */
  private long news;

  /**
   * @param lane the number of the destination among the agent's
   * @param resumed whether nothing of the stream was delivered before this run, for certain
   * @param identified whether it is the stream for certain; otherwise {@link #identify} comes
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
    this.inPlace = new InPlaceChange(stream.timeOfDurableBytes(), stream.isChangedInPlace());
  }

  public WatchedFile file() {
    return file;
  }

  /** The number of the destination among the agent's. */
  public int lane() {
    return lane;
  }

  public synchronized StreamProgress stream() {
    return stream;
  }

  /** The file's last known name. */
  public PosixPath name() {
    return file.name();
  }

  /** The file's descriptor, if it is open, for as long as the caller uses it. */
  public Optional<SharedDescriptor.Lease> lease() {
    return file.lease();
  }

  /** When the file last grew, as far as was seen. */
  public synchronized long lastGrowthNanos() {
    return lastGrowthNanos;
  }

  /**
   * Looks at the file's size and attributes through the descriptor, if it is open. Looks again when
   * there was other news of the size meanwhile: a size that was overtaken would be taken for a
   * truncation. May hang as the file system does, and holds up nobody else then.
   */
  public Optional<FileStatus> refresh(long nowNanos, long nowMillis) throws ErrnoException {
    while (true) {
      long newsBefore = news();
      Optional<SharedDescriptor.Lease> lease = file.lease();
      if (lease.isEmpty()) {
        return Optional.empty();
      }
      FileStatus status;
      try (SharedDescriptor.Lease open = lease.get()) {
        status = open.calls().fstat(open.fd());
      }
      if (observe(newsBefore, status, nowNanos, nowMillis)) {
        if (isSuspectedOfChange()) {
          file.suspect();
        }
        return Optional.of(status);
      }
    }
  }

  private synchronized long news() {
    return news;
  }

  /** Looks at the file, and takes up the suspicion that there may be. */
  public Optional<FileStatus> refreshForReading(long nowNanos, long nowMillis)
      throws ErrnoException {
    Optional<FileStatus> status = refresh(nowNanos, nowMillis);
    takeUpSuspicion();
    return status;
  }

  private synchronized void takeUpSuspicion() {
    comparing |= suspect;
    suspect = false;
  }

  /**
   * The file was written to. If it has not grown, it may have been written anew with the size that
   * it had, so the bytes before the position are to be compared.
   */
  public synchronized void suspect() {
    suspect = positionBytes > 0 && observedBytes == positionBytes;
  }

  /** False when the status may be older than what is known. */
  private synchronized boolean observe(
      long newsBefore, FileStatus status, long nowNanos, long nowMillis) {
    if (news != newsBefore) {
      return false;
    }
    news++;
    take(status, nowNanos, nowMillis);
    return true;
  }

  private void take(FileStatus status, long nowNanos, long nowMillis) {
    stream.seen(
        file.archivedName(), status.permissions(), status.modificationTimeNanos(), nowMillis);
    if (status.sizeBytes() < observedBytes) {
      shrunk = true;
      return;
    }
    boolean grown = status.sizeBytes() > observedBytes;
    boolean modified =
        inPlace.modificationTimeNanos().isPresent()
            && inPlace.modificationTimeNanos().getAsLong() != status.modificationTimeNanos();
    if (modified && !grown) {
      suspect();
    }
    look(status, grown, nowNanos);
    if (observedBytes > positionBytes && unreadSinceNanos.isEmpty()) {
      unreadSinceNanos = OptionalLong.of(nowNanos);
    }
  }

  private void look(FileStatus status, boolean grown, long nowNanos) {
    inPlace.look(
        new InPlaceChange.Look(
            status.modificationTimeNanos(),
            grown,
            positionBytes > 0,
            !isUncompared(),
            positionBytes > marker.lengthBytes(),
            nowNanos));
    stream.changedInPlace(inPlace.isConfirmed());
    if (grown) {
      lastGrowthNanos = nowNanos;
    }
    observedBytes = status.sizeBytes();
  }

  public synchronized long positionBytes() {
    return positionBytes;
  }

  /** The position with its stream and marker. */
  public synchronized Position position() {
    return new Position(stream, positionBytes, marker);
  }

  /** From now on only the caller moves the position; false when it is elsewhere by now. */
  public synchronized boolean pin(Position at) {
    if (stream != at.stream() || positionBytes != at.bytes() || !marker.equals(at.marker())) {
      return false;
    }
    pinned = true;
    return true;
  }

  public synchronized void unpin() {
    pinned = false;
  }

  /**
   * Another destination's worker has sealed what follows: moves on by it if this tail is in step,
   * that is, at the same position of the same stream, and nothing of the range is delivered.
   *
   * @param status of the file when the reading began
   * @param statusAtNanos when that was
   * @return the stream that the range is to be delivered to, or empty when the tail stays
   */
  public synchronized Optional<StreamProgress> follow(
      Position from, long endBytes, Marker markerAtEnd, FileStatus status, long statusAtNanos) {
    Position here = position();
    if (ended || pinned || shrunk || !resumed || !here.place().equals(from.place())) {
      return Optional.empty();
    }
    ByteRange missing = stream.nextMissing(positionBytes);
    if (missing.startBytes() != positionBytes || missing.endBytes() < endBytes) {
      return Optional.empty();
    }
    if (status.sizeBytes() > observedBytes) {
      look(status, true, statusAtNanos); // Or the time of that write would seem to be a later one.
    }
    confirm(status.sizeBytes());
    advance(endBytes, markerAtEnd, endBytes < status.sizeBytes(), statusAtNanos);
    return Optional.of(stream);
  }

  /**
   * Before anything was read: the file turns out to be at a stream that the destination knows. What
   * was seen of the file is compared with what is known of the stream at the next look, which must
   * come.
   *
   * @param resumed whether nothing of it was delivered before this run, for certain
   */
  public synchronized void identify(StreamProgress known, boolean resumed) {
    news++;
    stream = known;
    positionBytes = known.durableBytes();
    marker = Marker.NONE;
    observedBytes = Math.max(observedBytes, positionBytes);
    OptionalLong timeNanos = known.timeOfDurableBytes();
    inPlace =
        new InPlaceChange(
            timeNanos.isPresent() ? timeNanos : inPlace.modificationTimeNanos(),
            known.isChangedInPlace());
    this.resumed = resumed;
    this.continued = !resumed;
    identified = true;
  }

  /** Whether the stream is known for certain. */
  public synchronized boolean isIdentified() {
    return identified;
  }

  /** Whether the position was checked against the file and the destination in this run. */
  public synchronized boolean isResumed() {
    return resumed;
  }

  /**
   * Whether an earlier run may have delivered streams of the file that follow on the present one.
   */
  public synchronized boolean isContinued() {
    return continued;
  }

  /** Nothing is delivered yet of the present stream, nor of any that may follow on it. */
  public synchronized void nothingFollows() {
    continued = false;
  }

  /** The largest size the present stream was seen with. */
  public synchronized long observedBytes() {
    return observedBytes;
  }

  /** The bytes before the position were found unchanged when the file had this size. */
  public synchronized void confirm(long sizeBytes) {
    confirmedBytes = Math.max(confirmedBytes, sizeBytes);
    comparing = false;
  }

  /**
   * After a truncation: the largest size that the stream had for certain. Sizes seen after an
   * unnoticed truncation belong to the stream that followed.
   */
  public synchronized long sizeBeforeTruncationBytes() {
    return Math.max(positionBytes, shrunk ? observedBytes : confirmedBytes);
  }

  /** Bytes known to be in the file and not yet read. */
  public synchronized long unreadBytes() {
    return Math.max(0, observedBytes - positionBytes);
  }

  /** Bytes written and not yet durable at the destination. */
  public synchronized long atRiskBytes() {
    return Math.max(0, observedBytes - stream.durableBytes());
  }

  /** Whether a worker has something to do here. */
  public synchronized boolean hasWork() {
    return !ended
        && (isUncompared()
            || !resumed
            || observedBytes > positionBytes
            || (observedBytes == 0 && !emptyTold));
  }

  /** The archive knows, or will know, that the file is there though it has no bytes. */
  public synchronized void emptyTold() {
    emptyTold = true;
  }

  public synchronized OptionalLong unreadSinceNanos() {
    return unreadSinceNanos;
  }

  public synchronized OptionalLong deferredUntilNanos() {
    return deferredUntilNanos;
  }

  /** When a worker was last done with it. */
  public synchronized OptionalLong servedNanos() {
    return servedNanos;
  }

  /** A worker is done with it for now. */
  public synchronized void served(long nowNanos) {
    servedNanos = OptionalLong.of(nowNanos);
  }

  /** Nothing can be done here before that time. */
  public synchronized void defer(long untilNanos) {
    deferredUntilNanos = OptionalLong.of(untilNanos);
  }

  public synchronized void undefer() {
    deferredUntilNanos = OptionalLong.empty();
  }

  /** Whether the bytes before the position are to be compared, or it is truncated for certain. */
  private boolean isUncompared() {
    return shrunk || suspect || comparing;
  }

  /** Whether the file may have other bytes than those that were read of its stream. */
  public synchronized boolean isInDoubt() {
    return !ended && observedBytes > 0 && (isUncompared() || !resumed);
  }

  /** Whether bytes that were read have been changed in the file since: nobody delivers those. */
  public synchronized boolean isChangedInPlace() {
    return stream.isChangedInPlace();
  }

  /** Whether a further look must tell if it was changed in place, or an append was under way. */
  public synchronized boolean isSuspectedOfChange() {
    return !ended && inPlace.isSuspected();
  }

  /** Whether that look is all that is needed. */
  public synchronized boolean isChangeSettling() {
    return isSuspectedOfChange() && !isUncompared();
  }

  /** Whether the file was last seen with this modification time. */
  public synchronized boolean wasSeenWith(FileStatus status) {
    OptionalLong seen = inPlace.modificationTimeNanos();
    return seen.isPresent() && seen.getAsLong() == status.modificationTimeNanos();
  }

  /** Whether {@link #isChangedInPlace} is another than when this was asked last; first: not so. */
  public synchronized boolean takeNewsOfChange() {
    boolean news = toldChanged != stream.isChangedInPlace();
    toldChanged = stream.isChangedInPlace();
    return news;
  }

  public synchronized boolean isShrunk() {
    return shrunk;
  }

  /** How much raw data a staged byte held in the last segment. */
  public synchronized double rawPerStagedByte() {
    return rawPerStagedByte;
  }

  /** The position is confirmed: reading goes on from here. */
  public synchronized void resumeAt(long positionBytes, Marker marker) {
    news++;
    this.positionBytes = positionBytes;
    this.marker = marker;
    this.resumed = true;
    this.observedBytes = Math.max(observedBytes, positionBytes);
    if (observedBytes == positionBytes) {
      unreadSinceNanos = OptionalLong.empty();
    }
  }

  /**
   * Bytes up to the position were read and handed over.
   *
   * @param sizeSeenAtNanos when the size was looked at that bounded the reading: what is unread at
   *     the position was written later than that, unless reading stopped early
   */
  public synchronized void advance(
      long positionBytes, Marker marker, boolean stoppedEarly, long sizeSeenAtNanos) {
    news++;
    this.positionBytes = positionBytes;
    this.marker = marker;
    this.observedBytes = Math.max(observedBytes, positionBytes);
    if (observedBytes == positionBytes) {
      unreadSinceNanos = OptionalLong.empty();
    } else if (!stoppedEarly) {
      unreadSinceNanos = OptionalLong.of(sizeSeenAtNanos);
    }
  }

  public synchronized void compressed(long rawBytes, long stagedBytes) {
    rawPerStagedByte = Math.clamp((double) rawBytes / Math.max(1, stagedBytes), 0.5, 1000);
  }

  /** The file was truncated: from here on its bytes belong to another stream. */
  public synchronized void beginStream(
      StreamProgress next, FileStatus status, boolean resumed, long nowMillis) {
    news++;
    stream = next;
    stream.seen(
        file.archivedName(), status.permissions(), status.modificationTimeNanos(), nowMillis);
    positionBytes = 0;
    marker = Marker.NONE;
    confirmedBytes = 0;
    shrunk = false;
    suspect = false;
    comparing = false;
    inPlace = new InPlaceChange(OptionalLong.of(status.modificationTimeNanos()), false);
    toldChanged = false;
    this.resumed = resumed;
    observedBytes = status.sizeBytes();
    emptyTold = false;
    if (observedBytes == 0) {
      unreadSinceNanos = OptionalLong.empty();
    }
  }

  /** No byte will be read here any more. */
  public synchronized void end() {
    ended = true;
  }

  public synchronized boolean isEnded() {
    return ended;
  }
}
