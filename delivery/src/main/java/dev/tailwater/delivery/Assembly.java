package dev.tailwater.delivery;

import dev.tailwater.archive.SegmentSealer;
import dev.tailwater.archive.StreamId;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.PreviousRun;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DelivererSettings;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.seal.DuePolicy;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.seal.Resumption;
import dev.tailwater.delivery.seal.SealContext;
import dev.tailwater.delivery.seal.SealWorkers;
import dev.tailwater.delivery.seal.StagingPool;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.watch.KnownStreams;
import dev.tailwater.delivery.watch.ObserverSettings;
import dev.tailwater.delivery.watch.SourceFilter;
import dev.tailwater.delivery.watch.SourceSet;
import dev.tailwater.delivery.watch.TailRegistry;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.destination.Destination;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Puts an agent's stages together and finds out where the last run ended. Used once. */
final class Assembly {
  /** A lone change may wait so long for the watch thread to look. */
  private static final long MIN_TICK_MILLIS = 5;

  /** When much is written, a change may wait for a part of its maximum age, but not longer. */
  private static final long MAX_TICK_MILLIS = 250;

  private static final int TICKS_PER_MAX_AGE = 20;

  private static final int LARGE_STAGING = 3;
  private static final int SMALL_STAGING = 24;
  private static final Duration FORGET_UNSEEN_AFTER = Duration.ofDays(30);

  private final AgentConfig config;
  private final AgentEnvironment environment;
  private final Destination destination;
  private final CheckpointStore checkpoints;
  private final Problems problems;
  private final TailRegistry tails = new TailRegistry();
  private final DeliveryCounters counters = new DeliveryCounters();
  private final StagingPool staging;
  private final DueQueue queue;
  private final Deliverer deliverer;

  Assembly(
      AgentConfig config,
      Destination destination,
      RetryPolicy retries,
      AgentEnvironment environment,
      ProblemListener listener,
      KeyValueStore store) {
    this.config = config;
    this.environment = environment;
    this.destination = destination;
    this.problems = new Problems(listener, environment.clockMillis());
    this.checkpoints = new CheckpointStore(store, destination.uri().toString());
    this.staging = new StagingPool(config.segmentBytes(), LARGE_STAGING, SMALL_STAGING);
    DuePolicy duePolicy = new DuePolicy(config.maxAge().toNanos(), config.segmentBytes());
    this.queue = new DueQueue(duePolicy, environment.nanoClock());
    this.deliverer =
        new Deliverer(
            destination,
            checkpoints,
            new DeliveryBook(
                counters,
                duePolicy,
                environment.nanoClock(),
                TimeUnit.MILLISECONDS.toNanos(maxTickMillis(config))),
            problems,
            new DelivererSettings(
                config.parallelDeliveries(),
                retries,
                environment.nanoClock(),
                environment.random()));
  }

  private static long maxTickMillis(AgentConfig config) {
    return Math.clamp(
        config.maxAge().toMillis() / TICKS_PER_MAX_AGE, MIN_TICK_MILLIS, MAX_TICK_MILLIS);
  }

  /** What an agent consists of. */
  record Stages(
      CheckpointStore checkpoints,
      Problems problems,
      TailRegistry tails,
      DeliveryCounters counters,
      DueQueue queue,
      Deliverer deliverer,
      SealWorkers workers,
      WatchLoop watch) {}

  /** Everything, ready to start. */
  Stages assemble() throws IOException {
    boolean assembled = false;
    try {
      Stages stages = connect();
      assembled = true;
      return stages;
    } finally {
      if (!assembled) {
        deliverer.close();
      }
    }
  }

  /** Finds out where the last run ended, and goes on from there. */
  private Stages connect() throws IOException {
    Inventory inventory = new Inventory(destination);
    PreviousRun previous = checkpoints.begin();
    KnownStreams known = new KnownStreams(config.agent());
    known.addCheckpoints(checkpoints.all());
    addHoldings(known, inventory, previous);
    settleEndedStreams(known, inventory, previous);
    Resumption resumption =
        new Resumption(environment.calls(), destination, inventory, previous != PreviousRun.CLEAN);
    StreamingCopy streamingCopy = StreamingCopy.load();
    SealWorkers workers =
        new SealWorkers(
            new SealContext(
                config.agent(),
                environment.calls(),
                queue,
                staging,
                resumption,
                deliverer,
                checkpoints,
                problems,
                environment.nanoClock(),
                environment.clockMillis()),
            () ->
                new SegmentSealer(
                    config.codec(), config.recipients(), environment.random(), streamingCopy),
            config.workers());
    WatchLoop watch = openWatch(known, previous);
    watch.forgetUnseenSince(environment.clockMillis().getAsLong() - FORGET_UNSEEN_AFTER.toMillis());
    return new Stages(checkpoints, problems, tails, counters, queue, deliverer, workers, watch);
  }

  /** What a lost state knew, the destination still tells. */
  private void addHoldings(KnownStreams known, Inventory inventory, PreviousRun previous)
      throws IOException {
    long nowMillis = environment.clockMillis().getAsLong();
    boolean lost = previous == PreviousRun.NONE;
    if (lost || checkpoints.lossSince(nowMillis - FORGET_UNSEEN_AFTER.toMillis())) {
      Map<StreamId, Inventory.Holding> holdings = inventory.streams(config.agent());
      known.addHoldings(holdings);
      if (lost && !holdings.isEmpty()) {
        checkpoints.noteLoss(nowMillis);
      }
    }
  }

  /**
   * Streams that ended before: what was read and did not arrive is lost, and the archive says so.
   */
  private void settleEndedStreams(KnownStreams known, Inventory inventory, PreviousRun previous)
      throws IOException {
    for (StreamProgress stream : known.ended()) {
      if (previous != PreviousRun.CLEAN) {
        inventory
            .segmentsBeyond(stream.streamPrefix(), stream.durableBytes())
            .forEach(stream::holds);
      }
      if (stream.lostAfterReading().isPresent()) {
        stream.concedeLostBytes();
      }
      deliverer.describe(stream);
    }
  }

  private WatchLoop openWatch(KnownStreams known, PreviousRun previous) throws IOException {
    SourceSet sources =
        new SourceSet(
            config.sources().stream()
                .map(s -> new SourceFilter(s.root(), s.include(), s.exclude()))
                .toList(),
            config.ownPlaces());
    WatchOptions options =
        WatchOptions.defaults()
            .withWanted(sources::wants)
            .withDescend(sources::descends)
            .withFollowSymlinks(config.followSymlinks())
            .withReconcileMillis(config.reconcile().toMillis())
            .withPollMillis(config.poll().toMillis())
            .withTickMillis(MIN_TICK_MILLIS, maxTickMillis(config));
    return WatchLoop.open(
        environment.calls(),
        sources.roots(),
        options,
        new ObserverSettings(
            config.agent(),
            config.goneGrace(),
            OpenFileLimit.forTails(),
            previous == PreviousRun.INTERRUPTED,
            environment.nanoClock(),
            environment.clockMillis()),
        new TailOpener(environment.calls(), config.followSymlinks(), sources.roots()),
        tails,
        known,
        queue,
        deliverer,
        checkpoints,
        problems);
  }
}
