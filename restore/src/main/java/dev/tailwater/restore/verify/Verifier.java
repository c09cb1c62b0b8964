package dev.tailwater.restore.verify;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.name.ContestedPath;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.read.LockCheck;
import dev.tailwater.restore.read.LockedStreams;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

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
      streams.add(new StreamCheck(source, progress, stream).report());
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
    StreamChecks checks = new StreamChecks(source, progress, index.streams(), locks);
    progress.planned(index.streams().size(), checks.bytesToRead());
    List<Damage> refuted = refuted(index);
    List<Damage> trees = TreePackCheck.open(source, index, jobs);
    Jobs.forEach("verify", checks.segments(), jobs, checks::open);
    List<VerifiedStream> streams = checks.results();
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
            || index.hasDamagedDrains()
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
}
