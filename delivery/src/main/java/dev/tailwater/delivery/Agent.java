package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.Drain;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.destination.Destination;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * A running agent: watches, reads, seals, delivers and remembers, until it is told to stop.
 * Thread-safe.
 */
public final class Agent implements AutoCloseable {
  private final AgentConfig config;
  private final AgentEnvironment environment;
  private final Destination destination;
  private final KeyValueStore store;
  private final Assembly.Stages stages;
  private final long startedAtMillis;
  private volatile boolean draining;
  private boolean closed;

  /**
   * Starts an agent.
   *
   * @param destination is closed with the agent
   * @param retries how failures of the destination are borne
   * @throws dev.tailwater.store.StoreLockedException when another agent uses the state directory
   * @throws IOException when the state cannot be read or the destination cannot be listed; nothing
   *     is running then
   */
  public static Agent start(
      AgentConfig config,
      Destination destination,
      RetryPolicy retries,
      AgentEnvironment environment,
      ProblemListener listener)
      throws IOException {
    KeyValueStore store =
        TransactionLogStore.open(
            environment.calls(), config.stateDirectory(), StoreOptions.defaults());
    boolean started = false;
    try {
      Assembly.Stages stages =
          new Assembly(config, destination, retries, environment, listener, store).assemble();
      Agent agent = new Agent(config, destination, environment, store, stages);
      stages.workers().start();
      stages.watch().start();
      started = true;
      return agent;
    } finally {
      if (!started) {
        store.close();
      }
    }
  }

  private Agent(
      AgentConfig config,
      Destination destination,
      AgentEnvironment environment,
      KeyValueStore store,
      Assembly.Stages stages) {
    this.config = config;
    this.environment = environment;
    this.destination = destination;
    this.store = store;
    this.stages = stages;
    this.startedAtMillis = environment.clockMillis().getAsLong();
  }

  /** Waits until everything that was there at the start has been seen. */
  public void awaitFirstScan() throws InterruptedException, IOException {
    try {
      stages.watch().firstScan().get();
    } catch (ExecutionException e) {
      throw new IOException("watching failed: " + e.getCause(), e);
    }
  }

  /**
   * Delivers everything that is there now, in a hurry, before the agent is closed. When something
   * is left near the deadline, reading stops, and what is left is listed at the destination.
   *
   * @param deadline how long it may take; empty: as long as there is progress to be made
   */
  public DrainReport drain(Optional<Duration> deadline) throws InterruptedException {
    draining = true;
    return newDrain().run(deadline, true);
  }

  /**
   * Delivers everything that is there now, in a hurry, and goes on steadily.
   *
   * @param deadline after which it is given up
   */
  public DrainReport drainAndGoOn(Duration deadline) throws InterruptedException {
    return newDrain().run(Optional.of(deadline), false);
  }

  private Drain newDrain() {
    return new Drain(
        new Drain.DrainContext(
            config.agent(),
            stages.watch(),
            stages.tails(),
            stages.queue(),
            stages.deliverer(),
            stages.counters(),
            destination,
            stages.problems(),
            environment.nanoClock(),
            environment.clockMillis()));
  }

  /** What the agent is doing. */
  public StatusReport status() {
    return new StatusSurvey(
            stages.tails(),
            stages.counters(),
            stages.problems(),
            stages.deliverer(),
            stages.watch(),
            environment.nanoClock())
        .report(config.agent(), destination.uri().toString(), draining, startedAtMillis);
  }

  /** How far one file is delivered; it is opened to see which file the path leads to. */
  public FileDelivery status(PosixPath path) throws IOException {
    Optional<TailOpener.Opened> opened = TailOpener.following(environment.calls()).open(path);
    if (opened.isEmpty()) {
      throw new IOException(path + " is not a file");
    }
    try (Descriptor open = opened.get().descriptor()) {
      Optional<Tail> tail = stages.tails().find(opened.get().identity());
      return new FileDelivery(
          path.toString(),
          tail.map(t -> t.stream().id().text()),
          opened.get().status().sizeBytes(),
          tail.isPresent() ? durableBytes(tail.get(), open) : 0);
    }
  }

  /** How far the archive holds the file as it is now: nothing if it was truncated unnoticed. */
  private static long durableBytes(Tail tail, Descriptor open) throws IOException {
    StreamProgress.Durable durable = tail.stream().durable();
    Optional<Marker> marker = durable.marker();
    boolean same =
        marker.isPresent()
            ? marker.get().matches(open.calls(), open.fd(), durable.bytes())
            : tail.isResumed() && open.calls().fstat(open.fd()).sizeBytes() >= durable.bytes();
    return same ? durable.bytes() : 0;
  }

  public DeliveryCounters counters() {
    return stages.counters();
  }

  /**
   * Stops at once. What is not durable stays in the source files, and the next run goes on from
   * there; after a complete drain, nothing is.
   */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try (destination;
        store) {
      boolean idle;
      try {
        idle = stopStages();
      } finally {
        closeTails();
      }
      if (idle) {
        stages.checkpoints().end();
      }
    }
  }

  /** Ends all threads; whether nothing was on its way any more. */
  private boolean stopStages() throws IOException {
    try (Deliverer deliverer = stages.deliverer()) {
      try {
        stages.watch().close();
      } finally {
        stages.workers().close();
      }
      return awaitWorkers()
          && deliverer.underWay() == 0
          && stages.counters().undeliveredSegments() == 0;
    }
  }

  private boolean awaitWorkers() {
    try {
      return stages.workers().awaitEnd(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void closeTails() throws IOException {
    for (Tail tail : stages.tails().all()) {
      Optional<Descriptor> open = tail.end();
      if (open.isPresent()) {
        open.get().close();
      }
    }
  }
}
