package dev.tailwater.restore.verify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.read.Cover;
import dev.tailwater.restore.read.OverlapCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The check of one stream: its segments are opened by several threads. Thread-safe. */
final class StreamCheck {
  private final SegmentSource source;
  private final RestoreProgress progress;
  private final OverlapCheck overlap;

  /** Changed by the thread that collects the results alone, after those that open segments. */
  private ArchivedStream stream;

  @GuardedBy("this")
  private final List<StoredSegment> gone = new ArrayList<>();

  @GuardedBy("this")
  private final List<StoredSegment> good = new ArrayList<>();

  @GuardedBy("this")
  private final List<StoredSegment> unread = new ArrayList<>();

  @GuardedBy("this")
  private final RangeSet available = new RangeSet();

  @GuardedBy("this")
  private final List<Damage> damages = new ArrayList<>();

  @GuardedBy("this")
  private long checked;

  @GuardedBy("this")
  private long left;

  StreamCheck(SegmentSource source, RestoreProgress progress, ArchivedStream stream) {
    this.source = source;
    this.progress = progress;
    this.stream = stream;
    this.overlap = OverlapCheck.of(stream);
    this.left = stream.segments().size();
    damages.addAll(stream.damages());
    damages.addAll(stream.refusals());
  }

  /** Opens a segment; true when it was the last one, and nothing has to be asked again. */
  boolean open(StoredSegment segment) throws IOException {
    try {
      overlap.compare(source, stream, segment);
      done(segment);
    } catch (NoSuchObjectException e) {
      gone(segment);
    } catch (ArchiveException e) {
      bad(Damage.of(e));
    } catch (DestinationException e) {
      unread(segment, Damage.unreadable(stream.keyOf(segment), e));
    }
    progress.done(segment.range().lengthBytes());
    return isSettled();
  }

  private synchronized boolean isSettled() {
    return left == 0 && gone.isEmpty();
  }

  /** What could not be looked at is neither there nor missing. */
  private synchronized void unread(StoredSegment segment, Damage damage) {
    unread.add(segment);
    available.add(segment.range());
    bad(damage);
  }

  private synchronized void done(StoredSegment segment) {
    good.add(segment);
    available.add(segment.range());
    checked++;
    countDown();
  }

  private synchronized void gone(StoredSegment segment) {
    gone.add(segment);
    countDown();
  }

  /** Segments that were merged meanwhile are no loss when the longer one is whole. */
  void openWhatReplacedTheGone() throws IOException {
    for (int i = 0; i < SegmentSource.MAX_LISTINGS && anyLost(); i++) {
      ArchivedStream before = stream;
      stream = source.relisted(before);
      Set<StoredSegment> known = new HashSet<>(before.segments());
      for (StoredSegment segment : stream.segments()) {
        if (!known.contains(segment)) {
          var _ = open(segment);
        }
      }
    }
    noteLost();
  }

  private synchronized void noteLost() {
    for (StoredSegment segment : gone) {
      if (!available.contains(segment.range())) {
        damages.add(Damage.of(stream.keyOf(segment), "it was listed and is not there any more"));
      }
    }
  }

  private synchronized boolean anyLost() {
    for (StoredSegment segment : gone) {
      if (!available.contains(segment.range())) {
        return true;
      }
    }
    return false;
  }

  private synchronized void bad(Damage damage) {
    damages.add(damage);
    countDown();
  }

  @GuardedBy("this")
  private void countDown() {
    left--;
    if (left == 0) {
      progress.finished();
    }
  }

  synchronized VerifiedStream report() {
    return report(stream.covered(), stream.missingWhere(stream.covered()), false);
  }

  /** Whether nothing was wrong with its segments but that no identity opens them. */
  synchronized boolean isLocked() {
    long locked = damages.stream().filter(one -> one.kind() == Damage.Kind.LOCKED).count();
    return locked > 0 && locked == stream.segments().size();
  }

  synchronized VerifiedStream reportLocked() {
    damages.removeIf(one -> one.kind() == Damage.Kind.LOCKED);
    return report(stream.covered(), stream.missingWhere(stream.covered()), true);
  }

  synchronized VerifiedStream reportOpened() {
    damages.addAll(overlap.conflicts());
    RangeSet perhaps =
        Cover.available(stream, Stream.concat(good.stream(), unread.stream()).toList());
    return report(Cover.available(stream, good), stream.missingWhere(perhaps), false);
  }

  @GuardedBy("this")
  private VerifiedStream report(RangeSet had, List<ByteRange> missing, boolean locked) {
    return new VerifiedStream(
        stream.agent(),
        stream.id(),
        stream.path(),
        locked ? 0 : had.totalBytes(),
        stream.segments().size(),
        checked,
        locked,
        stream.openGaps(),
        missing,
        damages);
  }
}
