package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.delivery.checkpoint.CheckpointStore.NotedMerge;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.deliver.Ownership;
import dev.tailwater.delivery.deliver.StatedContent;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.SegmentUpload;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a merge, in an order in which the next start recognises a crash between any two: the
 * key of the long segment is noted in the local state, the segment is created, the short ones are
 * removed, the note is removed.
 *
 * <p>Used by the merger's thread, except for {@link #hasCleaning} and {@link #supersede}.
 */
final class MergeSteps implements AutoCloseable {
  static final String SUBJECT = "merging";
  private static final String FORBIDDEN_HINT =
      "everything is delivered, in short segments, and those that a longer one replaces stay beside"
          + " it; merge_to: off says that it is meant so, or allow removals and start the agent anew";
  private static final String HINT =
      "nothing is lost or at risk; short segments stay until it succeeds";

  private final MergerTools tools;
  private final MergeLedger ledger;
  private final GatherLedger gathered;
  private final MergeCounters counters;
  private final Removals superseded;
  private final MergeWriter.Turn turn;
  private final Consumer<Boolean> uploading;
  private @Nullable SourceBytes source;
  private @Nullable SegmentComposer composer;
  private @Nullable MergeWriter writer;

  /** A merge that may or may not have created its segment. */
  private volatile Optional<NotedMerge> doubtful;

  /** The plan of the doubtful merge, if this run made it. */
  private Optional<MergePlan> doubtfulPlan = Optional.empty();

  /** The outcome of a step. */
  enum Outcome {
    /** Something was merged or removed. */
    FINISHED,
    /** Neither that nor a failure: a doubt was resolved, or it may not go on now. */
    UNFINISHED,
    FAILED,
    /** It cannot succeed before somebody does something about it. */
    REFUSED
  }

  /**
   * Creates the steps of one merger.
   *
   * @param forbidden set when the destination forbids to remove; nothing is merged from then on
   * @param uploading told true before an upload begins, and false when it has ended; in between,
   *     the thread may be interrupted
   */
  MergeSteps(
      MergerTools tools,
      MergeLedger ledger,
      GatherLedger gathered,
      MergeCounters counters,
      AtomicBoolean forbidden,
      MergeWriter.Turn turn,
      Consumer<Boolean> uploading) {
    this.tools = tools;
    this.ledger = ledger;
    this.gathered = gathered;
    this.counters = counters;
    this.superseded = new Removals(tools.target().destination(), counters, forbidden);
    this.turn = turn;
    this.uploading = uploading;
    this.doubtful = notedBefore();
  }

  private Optional<NotedMerge> notedBefore() {
    try {
      return tools.target().checkpoints().notedMerge();
    } catch (IOException e) {
      tools.target().saver().reportFailed(e);
      return Optional.empty();
    }
  }

  static void report(Problems problems, String message, String hint, boolean permanent) {
    problems.reportHarmless(SUBJECT, message, Optional.of(hint), permanent);
  }

  /** Adds keys of superseded objects that are to be removed. */
  void supersede(List<String> keys) {
    superseded.add(keys);
  }

  /** Returns whether there may be superseded objects to remove. */
  boolean hasCleaning() {
    return doubtful.isPresent() || !superseded.isEmpty();
  }

  /**
   * Ends merging for this run. It would double the archive, and asking again would be a request and
   * a failure every few seconds for nothing.
   */
  private void forbid(RefusedDestinationException refusal) throws IOException {
    doubtful = Optional.empty();
    doubtfulPlan = Optional.empty();
    ledger.forgetAll();
    gathered.dropAll();
    tools.target().checkpoints().forgetMerge();
    String message = "nothing is merged any more: " + refusal.getMessage();
    report(tools.target().problems(), message, FORBIDDEN_HINT, false);
  }

  /** Removes what is superseded, or if nothing is, merges where that is allowed. */
  Outcome next(BooleanSupplier mayClean, BooleanSupplier mayMerge) {
    try {
      Outcome outcome = step(mayClean, mayMerge);
      // Resolving a doubt does not mean that the merge will not fail again.
      if (!superseded.areForbidden()
          && (outcome == Outcome.FINISHED || (!hasCleaning() && nextPlan().isEmpty()))) {
        tools.target().problems().resolved(SUBJECT);
      }
      return outcome;
    } catch (MergeWriter.AbandonedException e) {
      return Outcome.UNFINISHED;
    } catch (DestinationException e) {
      String hint = e.retryHint() + " Meanwhile " + HINT + ".";
      report(tools.target().problems(), String.valueOf(e.getMessage()), hint, e.permanent());
      return e.permanent() ? Outcome.REFUSED : Outcome.FAILED;
    } catch (IOException e) {
      report(tools.target().problems(), String.valueOf(e.getMessage()), HINT, false);
      return Outcome.FAILED;
    } catch (RuntimeException e) {
      report(tools.target().problems(), String.valueOf(e), "this should not happen; " + HINT, true);
      return Outcome.REFUSED;
    }
  }

  private Outcome step(BooleanSupplier mayClean, BooleanSupplier mayMerge) throws IOException {
    if (!superseded.isEmpty()) {
      return removeSuperseded(mayClean) ? Outcome.FINISHED : Outcome.UNFINISHED;
    }
    if (doubtful.isPresent()) {
      resolveDoubt(doubtful.get());
      return Outcome.UNFINISHED;
    }
    Optional<MergePlan> plan = mayMerge.getAsBoolean() ? nextPlan() : Optional.empty();
    return plan.isPresent() && merge(plan.get()) ? Outcome.FINISHED : Outcome.UNFINISHED;
  }

  private Optional<MergePlan> nextPlan() {
    return ledger.next().or(gathered::next);
  }

  private MergePlans plansOf(MergePlan plan) {
    return plan.isGathered() ? gathered : ledger;
  }

  /** Removes superseded objects; returns whether any was removed. */
  private boolean removeSuperseded(BooleanSupplier mayClean) throws IOException {
    boolean any;
    try {
      any = superseded.removeWhile(mayClean);
    } catch (RefusedDestinationException e) {
      forbid(e);
      return false;
    }
    // What is left is removed later, and the note stays until then.
    if (any && superseded.isEmpty() && doubtful.isEmpty()) {
      tools.target().checkpoints().forgetMerge();
    }
    return any;
  }

  /** Asks the destination whether the long segment is there. */
  private void resolveDoubt(NotedMerge noted) throws IOException {
    if (ArchiveNames.parse(noted.key()).orElse(null) instanceof ArchiveObject.Segment merged) {
      List<ArchiveObject.Segment> there =
          inventory().segmentsWithin(merged.streamPrefix(), merged.range());
      if (there.stream().anyMatch(segment -> segment.key().equals(merged.key()))) {
        settle(noted, merged, there);
      }
    }
    clearDoubt();
  }

  private void settle(
      NotedMerge noted, ArchiveObject.Segment merged, List<ArchiveObject.Segment> there)
      throws IOException {
    // Nothing may be removed unless the long segment holds the same bytes.
    Problems problems = tools.target().problems();
    StatedContent content = new StatedContent(inventory(), tools.target().contentKey(), problems);
    if (!new Ownership(content, problems).isOwn(merged, noted.rawCrc32c()) || !isTrusted(merged)) {
      doubtfulPlan.ifPresent(plan -> plansOf(plan).forget(plan));
      return;
    }
    supersede(
        there.stream()
            .filter(segment -> !merged.range().equals(segment.range()))
            .map(ArchiveObject.Segment::key)
            .toList());
    acknowledge(merged.streamPrefix(), merged.range());
    doubtfulPlan.ifPresent(plan -> plansOf(plan).merged(plan));
  }

  private boolean isTrusted(ArchiveObject.Segment merged) throws DestinationException {
    ArchiveTrust trust = tools.packs().inventory().trust();
    boolean trusted = trust.of(merged) == ArchiveTrust.Answer.TRUSTED;
    trust.report();
    return trusted;
  }

  private Inventory inventory() {
    return new Inventory(tools.target().destination());
  }

  private void clearDoubt() throws IOException {
    doubtful = Optional.empty();
    doubtfulPlan = Optional.empty();
    if (!hasCleaning()) {
      tools.target().checkpoints().forgetMerge();
    }
  }

  /** Merges; returns whether a long segment was created. */
  private boolean merge(MergePlan plan) throws IOException {
    MergeWriter present = writer();
    String prefix = plan.stream().streamPrefix();
    String key = composer().key(prefix, plan.range());
    NotedMerge noted = new NotedMerge(key, plan.rawCrc32c());
    tools.target().checkpoints().noteMerge(noted);
    // From here on, only the destination knows how far the merge got.
    doubtfulPlan = Optional.of(plan);
    doubtful = Optional.of(noted);
    try {
      MergeWriter.Written written = upload(present, plan, key);
      if (written.result() == PutResult.ALREADY_EXISTS) {
        return false; // The next step finds out whose it is.
      }
      counters.merged(plan, written);
    } catch (SourceBytes.GoneException e) {
      plansOf(plan).leave(plan);
      counters.left(plan);
      clearDoubt();
      return false;
    } catch (IOException | RuntimeException e) {
      plansOf(plan).postpone(plan.stream());
      throw e;
    }
    if (!plan.isGathered()) {
      supersede(plan.parts().stream().map(part -> composer().key(prefix, part.range())).toList());
    }
    acknowledge(prefix, plan.range());
    plansOf(plan).merged(plan);
    doubtful = Optional.empty();
    doubtfulPlan = Optional.empty();
    return true;
  }

  /**
   * Has receipts tell of the segment: what packs were acknowledged for may be in it alone, later.
   */
  private void acknowledge(String streamPrefix, ByteRange range) {
    tools.target().acknowledged().accept(streamPrefix, range);
  }

  private MergeWriter.Written upload(MergeWriter present, MergePlan plan, String key)
      throws IOException {
    turn.await();
    SegmentUpload upload = tools.target().destination().beginSegment(key);
    try {
      uploading.accept(true);
      return present.write(plan, upload, turn, tools.clocks().millis());
    } finally {
      uploading.accept(false);
      close(upload);
    }
  }

  /**
   * Closes an upload; what cannot be cleaned up now is invisible, and is removed when it is old.
   */
  private void close(SegmentUpload upload) {
    try {
      upload.close();
    } catch (DestinationException e) {
      report(tools.target().problems(), String.valueOf(e.getMessage()), e.hint(), e.permanent());
    }
  }

  private SegmentComposer composer() {
    if (composer == null) {
      composer = tools.composers().get();
    }
    return composer;
  }

  private MergeWriter writer() {
    if (writer == null) {
      SourceBytes opened = new SourceBytes(tools.files());
      source = opened;
      writer = new MergeWriter(composer(), opened);
    }
    return writer;
  }

  @Override
  public void close() {
    if (composer != null) {
      composer.close();
    }
    if (source != null) {
      source.close();
    }
  }
}
