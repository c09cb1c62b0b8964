package dev.tailwater.delivery.tail;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileStatus;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * One file: its open descriptor, the stream it is at, and how far that stream is read.
 *
 * <p>Thread-safe: the watch refreshes it while a worker reads. Only the worker that has claimed the
 * tail moves the position, starts a new stream, or closes the descriptor.
 */
public final class Tail {
  private final FileIdentity identity;
  private final TreeSet<PosixPath> names = new TreeSet<>();
  private PosixPath lastName;
  private Optional<Descriptor> descriptor;
  private StreamProgress stream;

  private long positionBytes;
  private Marker marker = Marker.NONE;
  private boolean resumed;

  private long observedBytes;
  private long confirmedBytes;
  private boolean shrunk;
  private boolean suspect;
  private OptionalLong modificationTimeNanos = OptionalLong.empty();
  private boolean emptyTold;
  private OptionalLong unreadSinceNanos = OptionalLong.empty();
  private OptionalLong deferredUntilNanos = OptionalLong.empty();
  private OptionalLong nameless = OptionalLong.empty();
  private long lastGrowthNanos;
  private double rawPerStagedByte = 1;
  private boolean ended;

  public Tail(
      Descriptor descriptor,
      PosixPath name,
      FileIdentity identity,
      StreamProgress stream,
      boolean resumed) {
    this.identity = identity;
    this.descriptor = Optional.of(descriptor);
    this.names.add(name);
    this.lastName = name;
    this.stream = stream;
    this.positionBytes = stream.durableBytes();
    this.observedBytes = positionBytes;
    this.resumed = resumed;
  }

  public FileIdentity identity() {
    return identity;
  }

  public synchronized StreamProgress stream() {
    return stream;
  }

  /** The last known name; where several names lead to the file, the one seen last. */
  public synchronized PosixPath name() {
    return lastName;
  }

  public synchronized Optional<Descriptor> descriptor() {
    return descriptor;
  }

  /** Takes a descriptor over, for a tail that has closed its own. */
  public synchronized void adopt(Descriptor descriptor) {
    this.descriptor = Optional.of(descriptor);
  }

  /** Another name leads to the file. */
  public synchronized void addName(PosixPath name) {
    names.add(name);
    lastName = name;
    nameless = OptionalLong.empty();
  }

  /** The name leads here no more. */
  public synchronized void removeName(PosixPath name, long nowNanos) {
    names.remove(name);
    if (names.isEmpty()) {
      nameless = OptionalLong.of(nowNanos);
    } else if (name.equals(lastName)) {
      lastName = names.last();
    }
  }

  /** Since when no watched name leads to the file. */
  public synchronized OptionalLong namelessSinceNanos() {
    return nameless;
  }

  /** When the file last grew, as far as was seen. */
  public synchronized long lastGrowthNanos() {
    return lastGrowthNanos;
  }

  /**
   * Looks at the file's size and attributes through the descriptor, if it is open. Whoever looks
   * holds the lock meanwhile: a size that was overtaken by another look would be taken for a
   * truncation.
   */
  public synchronized Optional<FileStatus> refresh(long nowNanos, long nowMillis)
      throws ErrnoException {
    if (descriptor.isEmpty()) {
      return Optional.empty();
    }
    Descriptor open = descriptor.get();
    FileStatus status = open.calls().fstat(open.fd());
    observe(status, nowNanos, nowMillis);
    return Optional.of(status);
  }

  /** Looks at the file, and takes up the suspicion that there may be. */
  public synchronized Optional<FileStatus> refreshForReading(long nowNanos, long nowMillis)
      throws ErrnoException {
    Optional<FileStatus> status = refresh(nowNanos, nowMillis);
    suspect = false;
    return status;
  }

  /**
   * The file was written to. If it has not grown, it may have been written anew with the size that
   * it had, so the bytes before the position are to be compared.
   */
  public synchronized void suspect() {
    suspect = positionBytes > 0 && observedBytes == positionBytes;
  }

  private void observe(FileStatus status, long nowNanos, long nowMillis) {
    stream.seen(lastName, status.permissions(), status.modificationTimeNanos(), nowMillis);
    boolean modified =
        modificationTimeNanos.isPresent()
            && modificationTimeNanos.getAsLong() != status.modificationTimeNanos();
    modificationTimeNanos = OptionalLong.of(status.modificationTimeNanos());
    if (status.sizeBytes() < observedBytes) {
      shrunk = true;
      return;
    }
    if (modified && status.sizeBytes() == observedBytes) {
      suspect();
    }
    if (status.sizeBytes() > observedBytes) {
      lastGrowthNanos = nowNanos;
    }
    observedBytes = status.sizeBytes();
    if (observedBytes > positionBytes && unreadSinceNanos.isEmpty()) {
      unreadSinceNanos = OptionalLong.of(nowNanos);
    }
  }

  public synchronized long positionBytes() {
    return positionBytes;
  }

  /** Checksum of the bytes before the position. */
  public synchronized Marker marker() {
    return marker;
  }

  /** Whether the position was checked against the file and the destination in this run. */
  public synchronized boolean isResumed() {
    return resumed;
  }

  /** The largest size the present stream was seen with. */
  public synchronized long observedBytes() {
    return observedBytes;
  }

  /** The bytes before the position were found unchanged when the file had this size. */
  public synchronized void confirm(long sizeBytes) {
    confirmedBytes = Math.max(confirmedBytes, sizeBytes);
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
        && (shrunk
            || suspect
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

  /** Nothing can be done here before that time. */
  public synchronized void defer(long untilNanos) {
    deferredUntilNanos = OptionalLong.of(untilNanos);
  }

  public synchronized void undefer() {
    deferredUntilNanos = OptionalLong.empty();
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
    stream = next;
    stream.seen(lastName, status.permissions(), status.modificationTimeNanos(), nowMillis);
    positionBytes = 0;
    marker = Marker.NONE;
    confirmedBytes = 0;
    shrunk = false;
    suspect = false;
    this.resumed = resumed;
    observedBytes = status.sizeBytes();
    emptyTold = false;
    if (observedBytes == 0) {
      unreadSinceNanos = OptionalLong.empty();
    }
  }

  /** No byte will be read here any more. Returns the descriptor for closing. */
  public synchronized Optional<Descriptor> end() {
    ended = true;
    return closeQuietly();
  }

  /** Gives up the descriptor of a file with nothing unread. Returns it for closing. */
  public synchronized Optional<Descriptor> closeQuietly() {
    Optional<Descriptor> open = descriptor;
    descriptor = Optional.empty();
    return open;
  }

  public synchronized boolean isEnded() {
    return ended;
  }
}
