package dev.tailwater.delivery;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.delivery.compare.Comparer;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.drain.DrainLane;
import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.merge.MergeCounters;
import dev.tailwater.delivery.receipt.Receipts;
import dev.tailwater.delivery.risk.LaneLoad;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.delivery.tree.TreeArchiver;
import dev.tailwater.delivery.watch.FileRegistry;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.destination.Destination;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an agent does for one destination: its positions in the files, queue, workers, deliveries
 * and checkpoints. Lanes share the watch, the files and the buffers, but do not wait for each
 * other, so a destination that is slow or away holds up only itself.
 */
final class Lane implements AutoCloseable {
  private final int number;
  private final AgentDestination target;
  private final FileRegistry files;
  private final LaneStages stages;
  private final LaneConnection connection;

  /** Used by the thread that closes the agent. */
  private boolean endsIdle;

  /** Creates a lane, and finds out where the last run ended as far as the local state tells. */
  Lane(int number, AgentDestination target, SharedStages shared) throws IOException {
    this.number = number;
    this.target = target;
    this.files = shared.files();
    this.stages = new LaneStages(number, target, shared);
    this.connection =
        new LaneConnection(
            stages,
            shared.config().agent(),
            files,
            shared.clocks(),
            shared.archiveClock(),
            shared.arrivals());
  }

  /** Lets delivery begin, as {@link LaneConnection#connect} says. */
  void connect(WatchLoop watch, boolean mayWait) throws IOException {
    connection.connect(watch, mayWait);
  }

  void start() {
    stages.workers.start();
    stages.merger.start();
    stages.receipts.ifPresent(Receipts::start);
  }

  /**
   * Begins to tell the destination of directories, when it is known which files are there, and
   * whether what it was told before is believed.
   */
  void startTree() {
    connection.whenConnected(() -> stages.tree.ifPresent(TreeArchiver::start));
  }

  String name() {
    return target.name();
  }

  /** Returns the destination behind its bandwidth limit. */
  Destination destination() {
    return stages.destination;
  }

  boolean isRequired() {
    return target.required();
  }

  /** Returns whether the state has all that it was to be told. */
  boolean isStateSaved() {
    return stages.saver.isSaved();
  }

  /** Returns whether the destination has told what it holds. */
  boolean isConnected() {
    return connection.isConnected();
  }

  /** Returns what is at risk at the destination, and how busy its stages are. */
  LaneLoad load() {
    boolean connected = isConnected();
    return stages.gauge.load(connected, connected ? List.of() : tails());
  }

  List<Tail> tails() {
    return files.tails(number);
  }

  int number() {
    return number;
  }

  Deliverer deliverer() {
    return stages.deliverer;
  }

  DeliveryCounters counters() {
    return stages.counters;
  }

  MergeCounters merging() {
    return stages.merger.counters();
  }

  /** Returns how many objects are not believed, since no trusted key has signed them. */
  long untrustedObjects() {
    return stages.packs.inventory().trust().refused();
  }

  /** Returns whether objects must be signed for the agent to believe them. */
  boolean requiresSignatures() {
    return stages.packs.inventory().trust().isChecked();
  }

  TailKeeper keeper() {
    return stages.keeper;
  }

  Comparer.ComparedLane forComparison() {
    return new Comparer.ComparedLane(
        stages.queue, stages::mayRevise, stages.saver, stages.deliverer::describe);
  }

  DrainLane forDrain() {
    return new DrainLane(
        name(),
        isRequired(),
        this::tails,
        stages.queue,
        stages.deliverer,
        stages.pacer::isHolding,
        stages.counters,
        Optional.of(stages.speedTuner),
        target.destination(),
        stages.receipts);
  }

  /** Delivers bytes while they are younger than usual, or as usual again. */
  void expectNotice(boolean expected) {
    stages.queue.expectNotice(expected);
  }

  /**
   * Tells the destination of what directories there are now.
   *
   * @param patience how long to wait for that
   */
  void finishTree(Duration patience) throws InterruptedException {
    if (stages.tree.isPresent()) {
      var _ = stages.tree.get().finish(patience); // It reports what it could not tell.
    }
  }

  /** Waits, after {@link #stop}, until nothing is told of directories any more. */
  void awaitTree(Deadline deadline) {
    try {
      if (stages.tree.isPresent()) {
        stages.tree.get().awaitEnd(deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends reading, merging and telling of directories; returns at once. */
  void stop() {
    stages.tree.ifPresent(TreeArchiver::stop);
    stages.workers.close();
    stages.merger.stop();
  }

  /** Has another thread read files instead of one that hangs; false if this is not possible. */
  boolean substitute(Thread hanging) {
    return stages.workers.substitute(hanging);
  }

  /** Waits, after {@link #stop}, until nothing is read any more; false at the deadline. */
  boolean awaitWorkers(Deadline deadline) {
    try {
      return stages.workers.awaitEnd(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Ends merging, and waits until what is superseded is removed or that fails.
   *
   * @param patience how long to wait without progress
   */
  void finishMerging(Duration patience) throws InterruptedException {
    stages.merger.finish(patience);
  }

  /** Waits, after {@link #stop}, until what is superseded is removed, or for the deadline. */
  void awaitMerger(Deadline deadline) {
    try {
      var _ = stages.merger.awaitEnd(deadline); // The next start does what is left.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Begins to end delivery; returns at once.
   *
   * @param nothingIsRead by any lane, since each may hand a segment over to each
   * @param nothingWaits whether every file that was found could be opened
   */
  void beginEnd(boolean nothingIsRead, boolean nothingWaits) {
    endsIdle =
        nothingIsRead
            && isConnected()
            && stages.keeper.start().isCertain(tails(), nothingWaits)
            && !stages.merger.hasPacksToRemove()
            && stages.deliverer.underWay() == 0
            && !stages.deliverer.hasUnanswered()
            && stages.packs.facts().isIdle()
            && stages.deliverer.notDurable().isEmpty()
            && stages.counters.undeliveredSegments() == 0;
    stages.pacer.close();
    stages.receipts.ifPresent(Receipts::close);
    stages.merger.close();
    stages.deliverer.beginClose();
  }

  /**
   * Ends delivery, after {@link #beginEnd}, and notes a clean end if nothing was in flight and
   * every checkpoint is saved. Without that note the next start asks the destination.
   */
  void end(long timeoutMillis) {
    stages.deliverer.awaitClosed(timeoutMillis);
    saveSizes();
    boolean isSaved = stages.saver.end();
    if (endsIdle && isSaved) {
      try {
        Optional<PackGroup> latest = stages.packs.groups().latest();
        if (latest.isPresent()) {
          stages.packs.notes().end(latest.get());
        }
        stages.checkpoints.end();
      } catch (IOException e) {
        stages.saver.reportFailed(e);
      }
    }
  }

  /** Lets the next start know which bytes there were, as they may be gone by then. */
  private void saveSizes() {
    List<StreamProgress> unsaved =
        tails().stream()
            .filter(Tail::isIdentified)
            .map(Tail::stream)
            .filter(StreamProgress::hasUnsavedSize)
            .toList();
    if (!unsaved.isEmpty()) {
      stages.saver.saveAll(unsaved);
    }
  }

  /** Closes the destination. */
  @Override
  public void close() throws IOException {
    target.destination().close();
  }
}
