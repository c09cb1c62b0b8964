package dev.tailwater.delivery.tail;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.Marker;
import java.util.Optional;

/**
 * Which stream a file is at, how far it is read, and how certain both are. Not thread-safe: the
 * tail's lock guards it.
 */
final class ReadPosition {
  private StreamProgress stream;
  private long bytes;
  private Marker marker = Marker.NONE;
  private boolean identified;
  private boolean resumed;
  private boolean continued;
  private boolean pinned;

  /**
   * Creates the position at the end of what is durable.
   *
   * @param resumed whether it is certain that no earlier run delivered anything of the stream
   * @param identified whether it is certain that this is the stream; otherwise {@link #identify}
   *     follows
   */
  ReadPosition(StreamProgress stream, boolean resumed, boolean identified) {
    this.stream = stream;
    this.bytes = stream.durableBytes();
    this.resumed = resumed;
    this.continued = !resumed;
    this.identified = identified;
  }

  /** Creates the position in a stream that is read as far as the table of files says. */
  static ReadPosition comeBack(StreamProgress stream) {
    ReadPosition read = new ReadPosition(stream, true, true);
    read.marker = stream.marker().orElse(Marker.NONE);
    read.continued = true; // Perhaps.
    return read;
  }

  StreamProgress stream() {
    return stream;
  }

  long bytes() {
    return bytes;
  }

  /** Returns the position with its stream and marker, all of the same moment. */
  Position now() {
    return new Position(stream, bytes, marker);
  }

  /**
   * Returns where the bytes of the stream end that are known to have been in the file: those that
   * this run has read or, until it has resumed, those that are durable. Empty when no marker tells
   * whether the file still has them.
   */
  Optional<Position> lastKnown() {
    if (resumed) {
      return Optional.of(now());
    }
    StreamProgress.Durable durable = stream.durable();
    return durable.marker().map(there -> new Position(stream, durable.bytes(), there));
  }

  /** Returns up to where the stream was read, by this run or by one before. */
  long readToBytes() {
    return resumed ? bytes : stream.durableBytes();
  }

  /** Returns whether bytes of the stream were read, in this run or perhaps in one before. */
  boolean mayHaveRead() {
    return bytes > 0 || !resumed;
  }

  /** Returns whether more bytes were, or may have been, read than the marker covers. */
  boolean mayHaveReadBeforeMarker() {
    return bytes > marker.lengthBytes() || !resumed;
  }

  /** Returns whether it is certain that nothing of the stream was delivered yet. */
  boolean isCertainlyAtBegin() {
    return bytes == 0 && identified && resumed;
  }

  boolean isAllDurable() {
    return stream.durableBytes() >= bytes;
  }

  /** Returns whether all before an offset was read, and is durable. */
  boolean isDurable(long untilBytes) {
    return bytes >= untilBytes && stream.durableBytes() >= untilBytes;
  }

  boolean isIdentified() {
    return identified;
  }

  /** Returns whether this run has checked the position against the file and the destination. */
  boolean isResumed() {
    return resumed;
  }

  /** Returns whether an earlier run may have delivered streams that follow the present one. */
  boolean isContinued() {
    return continued;
  }

  /** Notes that nothing is delivered of the present stream, nor of any that follows it. */
  void nothingFollows() {
    continued = false;
  }

  /** Returns whether the stream says all that is known of the position. */
  boolean mayLeave() {
    return identified
        && resumed
        && bytes == stream.durableBytes()
        && (bytes == 0 || stream.marker().isPresent());
  }

  /** Pins the position, if it is still there; false when it has moved already. */
  boolean pin(Position at) {
    if (stream != at.stream() || bytes != at.bytes() || !marker.equals(at.marker())) {
      return false;
    }
    pinned = true;
    return true;
  }

  void unpin() {
    pinned = false;
  }

  /**
   * Returns whether it may move on over a range that another destination's worker has read from
   * there: it is at the same position of the same stream, nobody else moves it, and nothing of the
   * range is delivered.
   */
  boolean isInStep(Position from, long endBytes) {
    if (pinned || !resumed || !now().place().equals(from.place())) {
      return false;
    }
    ByteRange missing = stream.nextMissing(bytes);
    return missing.startBytes() == bytes && missing.endBytes() >= endBytes;
  }

  /**
   * Replaces the stream, before anything was read, by one that the destination knows.
   *
   * @param resumed whether it is certain that no earlier run delivered anything of it
   */
  void identify(StreamProgress known, boolean resumed) {
    this.stream = known;
    this.bytes = known.durableBytes();
    this.marker = Marker.NONE;
    this.resumed = resumed;
    this.continued = !resumed;
    this.identified = true;
  }

  /** Sets a position that was checked against the file. */
  void resumeAt(long positionBytes, Marker markerThere) {
    bytes = positionBytes;
    marker = markerThere;
    resumed = true;
  }

  /**
   * Moves on over bytes that were read and handed over.
   *
   * @param read the checksums of the bytes
   */
  void advance(long positionBytes, Marker markerThere, BlockRun read) {
    stream.blocks().append(read);
    bytes = positionBytes;
    marker = markerThere;
  }

  /**
   * Goes to the beginning of the stream that follows a truncation.
   *
   * @param resumed whether it is certain that no earlier run delivered anything of it
   */
  void beginStream(StreamProgress next, boolean resumed) {
    this.stream = next;
    this.bytes = 0;
    this.marker = Marker.NONE;
    this.resumed = resumed;
  }
}
