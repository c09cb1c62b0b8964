package dev.tailwater.restore.verify;

import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.read.LockCheck;
import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The checks of all streams. One is in memory from its first segment to its last only: an archive
 * has millions of streams. Thread-safe.
 */
final class StreamChecks {
  private final SegmentSource source;
  private final RestoreProgress progress;
  private final List<ArchivedStream> streams;
  private final LockCheck locks;
  private final Segments segments;
  private final AtomicReferenceArray<@Nullable StreamCheck> begun;
  private final AtomicReferenceArray<@Nullable VerifiedStream> done;

  StreamChecks(
      SegmentSource source,
      RestoreProgress progress,
      List<ArchivedStream> streams,
      LockCheck locks) {
    this.source = source;
    this.progress = progress;
    this.streams = streams;
    this.locks = locks;
    this.segments = new Segments(streams, locks);
    this.begun = new AtomicReferenceArray<>(streams.size());
    this.done = new AtomicReferenceArray<>(streams.size());
  }

  /** A segment that is to be opened, and the place of its stream. */
  record OneSegment(int streamAt, StoredSegment segment) {}

  /** The segments of all streams that an identity may open, stream by stream; made when asked. */
  private static final class Segments extends AbstractList<OneSegment> implements RandomAccess {
    private final List<ArchivedStream> streams;

    /** Which segment is the first one of each stream, and how many there are. */
    private final int[] firstOf;

    Segments(List<ArchivedStream> streams, LockCheck locks) {
      this.streams = streams;
      this.firstOf = new int[streams.size() + 1];
      for (int i = 0; i < streams.size(); i++) {
        ArchivedStream stream = streams.get(i);
        int count = locks.isLocked(stream) ? 0 : stream.segments().size();
        firstOf[i + 1] = Math.addExact(firstOf[i], count);
      }
    }

    @Override
    public OneSegment get(int index) {
      int at = Arrays.binarySearch(firstOf, index);
      int streamAt = at < 0 ? -at - 2 : at;
      // Streams without segments begin where the next one does.
      while (firstOf[streamAt + 1] <= index) {
        streamAt++;
      }
      return new OneSegment(
          streamAt, streams.get(streamAt).segments().get(index - firstOf[streamAt]));
    }

    @Override
    public int size() {
      return firstOf[streams.size()];
    }
  }

  /** Returns what is to be opened. */
  List<OneSegment> segments() {
    return segments;
  }

  /** Returns how many bytes that makes. */
  long bytesToRead() {
    long bytes = 0;
    for (OneSegment one : segments) {
      bytes += one.segment().range().lengthBytes();
    }
    return bytes;
  }

  /** Opens a segment. */
  void open(OneSegment one) throws IOException {
    int at = one.streamAt();
    StreamCheck check = check(at);
    if (check.open(one.segment())) {
      done.set(at, result(at, check));
      begun.set(at, null);
    }
  }

  private StreamCheck check(int at) {
    StreamCheck known = begun.get(at);
    if (known != null) {
      return known;
    }
    StreamCheck fresh = new StreamCheck(source, progress, streams.get(at));
    return begun.compareAndSet(at, null, fresh) ? fresh : Objects.requireNonNull(begun.get(at));
  }

  /** Returns what was found out, when all segments were opened. */
  List<VerifiedStream> results() throws IOException {
    List<VerifiedStream> results = new ArrayList<>(streams.size());
    for (int i = 0; i < streams.size(); i++) {
      VerifiedStream result = done.get(i);
      if (result == null) {
        StreamCheck check = check(i);
        check.openWhatReplacedTheGone();
        result = result(i, check);
        begun.set(i, null);
      }
      results.add(result);
    }
    return results;
  }

  private VerifiedStream result(int at, StreamCheck check) {
    return locks.isLocked(streams.get(at)) || check.isLocked()
        ? check.reportLocked()
        : check.reportOpened();
  }
}
