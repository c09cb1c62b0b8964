package dev.tailwater.delivery;

import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.PreviousRun;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DelivererSettings;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.FrameShare;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.DrainLane;
import dev.tailwater.delivery.drain.SpeedTuner;
import dev.tailwater.delivery.drain.CodecSelector;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.merge.MergeCounters;
import dev.tailwater.delivery.merge.Merger;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.risk.LaneLoad;
import dev.tailwater.delivery.route.PacedDestination;
import dev.tailwater.delivery.route.Pacer;
import dev.tailwater.delivery.seal.DuePolicy;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.seal.LaneIntake;
import dev.tailwater.delivery.seal.Resumption;
import dev.tailwater.delivery.seal.SealContext;
import dev.tailwater.delivery.seal.SealWorkers;
import dev.tailwater.delivery.seal.StagingPool;
import dev.tailwater.delivery.seal.StagingQuota;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.watch.FileRegistry;
import dev.tailwater.delivery.watch.KnownStreams;
import dev.tailwater.delivery.watch.ObserverSettings;
import dev.tailwater.delivery.watch.TailKeeper;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What an agent does for one destination: its positions in the files, its queue, workers,
 * deliveries and checkpoints. Lanes share the watch, the files and the buffers, but wait for
 * nothing of each other, so that a destination that is slow or away holds up none but itself.
 */
final class Lane implements AutoCloseable {
  private final int number;
  private final AgentDestination target;
  private final Pacer pacer;
  private final Destination destination;
  private final Shared shared;
  private final Problems problems;
  private final CheckpointStore checkpoints;
  private final CheckpointSaver saver;
  private final DeliveryCounters counters = new DeliveryCounters();
  private final StagingQuota staging;
  private final DueQueue queue;
  private final CodecSelector selector;
  private final LaneGauge gauge;
  private final Merger merger;
  private final Deliverer deliverer;
  private final PreviousRun previous;
  private final StartupReconciliation reconciliation;
  private final TailKeeper keeper;
  private final SealWorkers workers;
  private final SpeedTuner speedTuner;
  private volatile boolean connected;

  /** Of the thread that closes. */
  private boolean endsIdle;

  /**
   * What the lanes of an agent have in common.
   *
   * @param maxTickMillis for how long a change may go unnoticed
   * @param intakes of all lanes; complete when the first worker starts
   */
  record Shared(
      AgentConfig config,
      AgentEnvironment environment,
      RetryPolicy retries,
      Problems problems,
      KeyValueStore store,
      FileRegistry registry,
      StagingPool staging,
      FrameShare frames,
      ObserverSettings observing,
      Supplier<SegmentSealer> sealers,
      Supplier<SegmentComposer> composers,
      long maxTickMillis,
      List<LaneIntake> intakes,
      int lanes,
      Neighbour neighbour) {}

  /** Finds out where the last run ended, as far as the local state tells. */
  Lane(int number, AgentDestination target, Shared shared) throws IOException {
    this.number = number;
    this.target = target;
    this.shared = shared;
    AgentConfig config = shared.config();
    AgentEnvironment environment = shared.environment();
    this.pacer = new Pacer(target.bandwidth(), environment.nanoClock(), environment::timeOfDay);
    this.destination =
        target.bandwidth().isUnlimited()
            ? target.destination()
            : new PacedDestination(target.destination(), pacer);
    this.problems = shared.lanes() == 1 ? shared.problems() : shared.problems().of(target.name());
    this.checkpoints = new CheckpointStore(shared.store(), destination.uri().toString());
    this.staging = StagingShare.of(shared.staging(), shared.lanes());
    DuePolicy duePolicy =
        new DuePolicy(config.maxAge().toNanos(), config.segmentBytes(), config.maxAtRisk().bytes())
            .withRests(config.neighbour().pressure().isPresent());
    this.queue = new DueQueue(duePolicy, environment.nanoClock(), this::stagedBytes);
    LaneMeter meter = LaneMeter.create(environment.nanoClock());
    this.selector =
        new CodecSelector(
            new CodecSelector.Settings(
                config.codec(), config.segmentBytes(), queue::unreadBytes, environment.nanoClock()),
            meter);
    this.saver = new CheckpointSaver(checkpoints, problems);
    this.previous = checkpoints.begin();
    KnownStreams known = new KnownStreams(config.agent());
    known.addCheckpoints(checkpoints.all());
    Inventory inventory = new Inventory(destination);
    long nowMillis = environment.clockMillis().getAsLong();
    this.reconciliation =
        new StartupReconciliation(config.agent(), inventory, checkpoints, previous, known, nowMillis);
    this.merger = new Merger(mergerTools());
    this.deliverer =
        new Deliverer(
            destination,
            saver,
            new DeliveryAccounting(
                counters,
                duePolicy,
                environment.nanoClock(),
                TimeUnit.MILLISECONDS.toNanos(shared.maxTickMillis()),
                merger),
            problems,
            new DelivererSettings(
                config.parallelDeliveries(),
                shared.retries(),
                meter,
                environment.nanoClock(),
                environment.random(),
                Optional.of(shared.neighbour().priorities()),
                environment.threads()));
    this.keeper =
        new TailKeeper(
            new TailKeeper.LaneTools(
                number,
                target.required(),
                previous == PreviousRun.INTERRUPTED,
                known,
                queue,
                deliverer,
                checkpoints,
                saver,
                problems),
            shared.observing());
    shared.intakes().add(new LaneIntake(queue, staging, deliverer));
    this.workers =
        new SealWorkers(
            sealContext(inventory, meter),
            shared.sealers(),
            config.workers(),
            Math.ceilDiv(environment.processors(), shared.lanes()),
            shared.neighbour(),
            environment.threads());
    this.gauge =
        new LaneGauge(queue, deliverer, meter, pacer, config.workers(), environment.nanoClock());
    this.speedTuner =
        new SpeedTuner(
            selector,
            workers,
            deliverer,
            counters,
            config.parallelDeliveries(),
            environment.nanoClock(),
            shared.neighbour());
  }

  private Merger.MergerTools mergerTools() {
    AgentEnvironment environment = shared.environment();
    return new Merger.MergerTools(
        name(),
        destination,
        checkpoints,
        this::isBusy,
        environment.calls(),
        shared.registry()::find,
        shared.observing().names(),
        shared.composers(),
        problems,
        shared.retries(),
        environment.random(),
        this::mergeToBytes,
        environment.nanoClock(),
        environment.clockMillis(),
        shared.neighbour());
  }

  private boolean isBusy() {
    return deliverer.isBusy();
  }

  /** A destination that is opened late recommends nothing of its own before. */
  private long mergeToBytes() {
    return shared
        .config()
        .mergeToBytes()
        .orElseGet(
            () ->
                Math.min(
                    destination.capabilities().recommendedMergeBytes(),
                    AgentConfig.MAX_MERGE_BYTES));
  }

  /** What was read and has not arrived: of use to a queue that there was before the deliverer. */
  private long stagedBytes() {
    return deliverer.notDurableBytes();
  }

  private SealContext sealContext(Inventory inventory, LaneMeter meter) {
    AgentEnvironment environment = shared.environment();
    return new SealContext(
        shared.config().agent(),
        environment.calls(),
        queue,
        staging,
        shared.frames(),
        shared.intakes(),
        counters,
        selector,
        meter,
        new Resumption(environment.calls(), inventory, previous != PreviousRun.CLEAN),
        deliverer,
        saver,
        problems,
        environment.nanoClock(),
        environment.clockMillis());
  }

  /**
   * Begins at once, where the destination need not be asked, or, when {@code waits}, answers.
   *
   * @param waits whether its answer is waited for
   * @throws DestinationException when it refuses for good to answer
   */
  void connect(WatchLoop watch, boolean waits) throws IOException {
    keeper.forgetUnseenSince(nowMillis() - StartupReconciliation.FORGET_UNSEEN_AFTER.toMillis());
    if (!reconciliation.isNeeded() || waits) {
      try {
        connected(reconciliation.ask());
        return;
      } catch (DestinationException e) {
        if (e.permanent()) {
          throw e;
        }
      }
    }
    deliverer.ask(reconciliation::ask, answer -> connectWhileWatching(watch, answer));
  }

  private void connectWhileWatching(WatchLoop watch, StartupReconciliation.Answer answer)
      throws InterruptedException {
    try {
      watch.execute(() -> connected(answer)).get();
    } catch (CancellationException e) {
      // The agent is stopping; the next start asks again.
      return;
    } catch (ExecutionException e) {
      problems.report(
          "destination " + destination.uri(),
          "delivery to " + destination.uri() + " cannot begin: " + e.getCause(),
          Optional.of("this should not happen; the bytes stay at risk; restart the agent"),
          true);
    }
  }

  private void connected(StartupReconciliation.Answer answer) {
    boolean noted = noteLoss(answer);
    reconciliation.settle(answer, deliverer);
    merger.remove(answer.superseded());
    keeper.connect(answer.holdings(), shared.registry(), noted);
    connected = true;
  }

  /** Without that note the next start must ask everything again. */
  private boolean noteLoss(StartupReconciliation.Answer answer) {
    try {
      reconciliation.noteLoss(answer, nowMillis());
      return true;
    } catch (IOException e) {
      CheckpointSaver.report(problems, e);
      return false;
    }
  }

  private long nowMillis() {
    return shared.environment().clockMillis().getAsLong();
  }

  void start() {
    workers.start();
    merger.start();
  }

  String name() {
    return target.name();
  }

  /** Behind its bandwidth limit. */
  Destination destination() {
    return destination;
  }

  boolean isRequired() {
    return target.required();
  }

  /** Whether it has told what it holds, where that was asked. */
  boolean isConnected() {
    return connected;
  }

  /** What is at risk here, and who is at work with it. */
  LaneLoad load() {
    return gauge.load(connected, connected ? List.of() : tails());
  }

  List<Tail> tails() {
    return shared.registry().tails(number);
  }

  int number() {
    return number;
  }

  Deliverer deliverer() {
    return deliverer;
  }

  DeliveryCounters counters() {
    return counters;
  }

  MergeCounters merging() {
    return merger.counters();
  }

  DrainLane forDrain() {
    return new DrainLane(
        name(),
        isRequired(),
        this::tails,
        queue,
        deliverer,
        counters,
        pacer,
        Optional.of(speedTuner),
        merger::hurry,
        target.destination());
  }

  /** From now on bytes are delivered while they are younger; or as before. */
  void expectNotice(boolean expected) {
    queue.expectNotice(expected);
  }

  TailKeeper keeper() {
    return keeper;
  }

  /** From now on nothing more is read, and nothing merged. */
  void stop() {
    workers.close();
    merger.stop();
  }

  /** Waits until nothing is read any more, after {@link #stop}; false when the time is over. */
  boolean awaitWorkers(long timeoutMillis) {
    try {
      return workers.awaitEnd(timeoutMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Nothing is merged any more; waits until what is superseded is removed, or that fails. */
  void finishMerging(Duration patience) throws InterruptedException {
    merger.finish(patience);
  }

  /** Waits until what is superseded is removed, after {@link #stop}, but not for ever. */
  void awaitMerger(long timeoutMillis) {
    try {
      var _ = merger.awaitEnd(timeoutMillis); // The next start does what is left.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Begins to end delivery; returns at once.
   *
   * @param nothingIsRead by any lane, since each may hand a segment over to each
   */
  void beginEnd(boolean nothingIsRead) {
    endsIdle =
        nothingIsRead
            && connected
            && deliverer.underWay() == 0
            && deliverer.notDurable().isEmpty()
            && counters.undeliveredSegments() == 0;
    pacer.close();
    merger.close();
    deliverer.beginClose();
  }

  /**
   * Ends it, after {@link #beginEnd}, and notes if nothing was on its way any more and every
   * checkpoint is saved. Without that note the next start asks the destination.
   */
  void end(long timeoutMillis) {
    deliverer.awaitClosed(timeoutMillis);
    boolean isSaved = saver.end();
    if (endsIdle && isSaved) {
      try {
        checkpoints.end();
      } catch (IOException e) {
        CheckpointSaver.report(problems, e);
      }
    }
  }

  /** Closes the destination. */
  @Override
  public void close() throws IOException {
    target.destination().close();
  }
}
