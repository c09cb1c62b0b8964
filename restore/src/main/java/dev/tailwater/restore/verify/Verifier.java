package dev.tailwater.restore.verify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.place.ContestedPath;
import dev.tailwater.restore.place.TargetNames;
import dev.tailwater.restore.read.Cover;
import dev.tailwater.restore.read.LockCheck;
import dev.tailwater.restore.read.LockedStreams;
import dev.tailwater.restore.read.OverlapCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks an archive without writing anything: whether the streams are complete, and whether every
 * segment opens and is what its name says. Superseded segments are opened too, and segments that
 * overlap must agree.
 */
public final class Verifier {
  private static final String REFUTED =
      "a manifest says something else of this pack than the pack itself, which was not opened for"
          + " it. Hint: remove the manifests (~manifests), and verify again";

  private final SegmentSource source;
  private final int jobs;
  private final RestoreProgress progress;

  public Verifier(Destination destination, ReadOptions options, RestoreProgress progress) {
    this.source = new SegmentSource(destination, options);
    this.jobs = options.jobs();
    this.progress = progress;
  }

  /** Looks at the names of the objects only; fetches nothing. */
  public VerifyReport verifyNames(ArchiveIndex index) {
    List<VerifiedStream> streams = new ArrayList<>();
    for (ArchivedStream stream : index.streams()) {
      streams.add(new Check(stream).report());
    }
    return report(index, streams, true, Optional.empty(), List.of(), TreePackCheck.names(index));
  }

  /**
   * Opens every segment; encrypted ones need an identity.
   *
   * @throws IOException the thread was interrupted; whatever cannot be read is in the report
   */
  public VerifyReport verify(ArchiveIndex index) throws IOException {
    LockCheck locks = LockCheck.of(source, index.streams(), jobs);
    List<Check> checks = new ArrayList<>();
    List<Work> work = new ArrayList<>();
    long bytes = 0;
    for (ArchivedStream stream : index.streams()) {
      Check check = new Check(stream);
      checks.add(check);
      if (locks.isLocked(stream)) {
        continue;
      }
      for (StoredSegment segment : stream.segments()) {
        work.add(new Work(check, segment));
        bytes += segment.range().lengthBytes();
      }
    }
    progress.planned(checks.size(), bytes);
    List<Damage> refuted = refuted(index);
    List<Damage> trees = TreePackCheck.open(source, index, jobs);
    Jobs.forEach("verify", work, jobs, one -> one.check.open(one.segment));
    List<VerifiedStream> streams = new ArrayList<>();
    for (Check check : checks) {
      check.openWhatReplacedTheGone();
      streams.add(
          locks.isLocked(check.stream) || check.isLocked()
              ? check.reportLocked()
              : check.reportOpened());
    }
    long locked = streams.stream().filter(VerifiedStream::locked).count();
    return report(index, streams, false, locks.report(locked), refuted, trees);
  }

  /** Compares what manifests say of packs with the packs. */
  private List<Damage> refuted(ArchiveIndex index) throws IOException {
    List<Damage> refuted = Collections.synchronizedList(new ArrayList<>());
    Jobs.forEach(
        "verify-manifests",
        index.repeatedPacks(),
        jobs,
        pack -> {
          try {
            if (source.isRefuted(pack)) {
              refuted.add(Damage.contradiction(pack.name().key(), REFUTED));
            }
          } catch (NoSuchObjectException e) {
            // Merged meanwhile.
          } catch (ArchiveException e) {
            refuted.add(Damage.of(e));
          } catch (DestinationException e) {
            refuted.add(Damage.unreadable(pack.name().key(), e));
          }
        });
    return refuted;
  }

  private static VerifyReport report(
      ArchiveIndex index,
      List<VerifiedStream> streams,
      boolean quick,
      Optional<LockedStreams> locked,
      List<Damage> refuted,
      List<Damage> trees) {
    long complete = streams.stream().filter(VerifiedStream::isComplete).count();
    long bad = streams.size() - complete;
    long readable = streams.stream().filter(stream -> stream.bytes() > 0).count();
    boolean allLocked = locked.isPresent() && readable == 0;
    Outcome outcome =
        index.foundNothing() || allLocked
            ? Outcome.FAILED
            : Outcome.of(Math.max(complete, readable), 0, bad);
    List<ContestedPath> contested = TargetNames.of(index).contested();
    boolean isDoubtful =
        !contested.isEmpty()
            || index.isMoreInPacks()
            || index.hasDamagedManifests()
            || !refuted.isEmpty()
            || !trees.isEmpty();
    if (outcome == Outcome.DONE && isDoubtful) {
      outcome = Outcome.PARTIAL;
    }
    return new VerifyReport(
        streams,
        quick,
        contested,
        locked,
        refuted,
        trees,
        index.damages(),
        index.foreign(),
        outcome);
  }

  private record Work(Check check, StoredSegment segment) {}

  /** The check of one stream: its segments are opened by several threads. Thread-safe. */
  private final class Check {
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

    Check(ArchivedStream stream) {
      this.stream = stream;
      this.overlap = OverlapCheck.of(stream);
      this.left = stream.segments().size();
      damages.addAll(stream.damages());
      damages.addAll(stream.refusals());
    }

    void open(StoredSegment segment) throws IOException {
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
            open(segment);
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
}
