package dev.tailwater.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.checkpoint.AgentState;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.Drain;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.watch.SourceFilter;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * A running agent: watches, reads, seals, delivers and remembers, until it is told to stop.
 * Thread-safe.
 */
public final class Agent implements AutoCloseable {
  private static final Duration NO_TIME = Duration.ZERO;

  private final AgentConfig config;
  private final AgentEnvironment environment;
  private final KeyValueStore store;
  private final Assembly.Stages stages;
  private final long startedAtMillis;
  private final Drains drains;
  private final Optional<RiskWatch> riskWatch;

  @GuardedBy("this")
  private boolean closed;

  /**
   * Starts an agent for one destination.
   *
   * @param destination is closed with the agent
   * @param retries how failures of the destination are borne
   * @throws dev.tailwater.store.StoreLockedException when another agent uses the state directory
   * @throws IOException when the state cannot be read (one that is damaged is set aside), or the
   *     destination refuses for good to be listed; nothing is running then
   */
  public static Agent start(
      AgentConfig config,
      Destination destination,
      RetryPolicy retries,
      AgentEnvironment environment,
      ProblemListener listener)
      throws IOException {
    return start(
        config, List.of(AgentDestination.only(destination)), retries, environment, listener);
  }

  /**
   * Starts an agent for several destinations. None of them is waited for; one that cannot be
   * reached is reported and tried again.
   *
   * @param destinations one or more with different names and URIs, at least one of them required;
   *     closed with the agent
   * @param retries how failures of the destinations are borne
   * @throws dev.tailwater.store.StoreLockedException when another agent uses the state directory
   * @throws IOException when the state cannot be read, or when there is just one destination and it
   *     refuses for good to be listed; nothing is running then
   */
  public static Agent start(
      AgentConfig config,
      List<AgentDestination> destinations,
      RetryPolicy retries,
      AgentEnvironment environment,
      ProblemListener listener)
      throws IOException {
    requireSound(destinations);
    AgentState state =
        AgentState.open(
            environment.calls(),
            config.stateDirectory(),
            Instant.ofEpochMilli(environment.clockMillis().getAsLong()));
    KeyValueStore store = state.store();
    Agent agent;
    try {
      Assembly.Stages stages =
          new Assembly(
                  new SharedStages(
                      config, environment, retries, listener, store, destinations.size()),
                  destinations)
              .assemble();
      state.report(stages.problems());
      agent = new Agent(config, environment, store, stages);
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(e, store::close);
      throw e;
    }
    try {
      agent.begin();
    } catch (RuntimeException | Error e) {
      closeAfter(e, () -> agent.closeStages(NO_TIME)); // Who called closes the destinations.
      throw e;
    }
    return agent;
  }

  private static void closeAfter(Throwable failure, CloseSequence.Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  private void begin() {
    stages.lanes().forEach(Lane::start);
    stages.watch().start();
    riskWatch.ifPresent(RiskWatch::start);
  }

  private static void requireSound(List<AgentDestination> destinations) {
    long names = destinations.stream().map(AgentDestination::name).distinct().count();
    long places = destinations.stream().map(d -> d.destination().uri()).distinct().count();
    if (names < destinations.size() || places < destinations.size()) {
      throw new IllegalArgumentException("two destinations are the same: " + destinations);
    }
    if (destinations.stream().noneMatch(AgentDestination::required)) {
      throw new IllegalArgumentException("no destination is required");
    }
  }

  private Agent(
      AgentConfig config,
      AgentEnvironment environment,
      KeyValueStore store,
      Assembly.Stages stages) {
    this.config = config;
    this.environment = environment;
    this.store = store;
    this.stages = stages;
    this.drains = new Drains(this::drainContext, environment.clocks());
    this.riskWatch =
        RiskWatch.of(
            config.maxAtRisk(), stages.lanes(), stages.problems(), environment.nanoClock());
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
    return drain(deadline, DrainListener.NONE);
  }

  /**
   * The same. While the agent {@linkplain #goDown goes down}, this joins that drain: it ends as
   * soon as nothing is at risk, by the earlier of both deadlines, and both callers get its report;
   * only its own listener hears of its phases. Once the agent has gone down, this is that report.
   *
   * @param listener hears of the phases: the last gasp comes only if something is left
   */
  public DrainReport drain(Optional<Duration> deadline, DrainListener listener)
      throws InterruptedException {
    return drains.end(deadline, listener);
  }

  /**
   * The machine goes away: hurries now and goes on delivering what is written meanwhile until
   * shortly before the deadline (the last gasp). Then reading stops for ever, and each destination
   * is told what is left, even if that is nothing.
   *
   * @param safe called once, on the calling thread, as soon as all that had been written when the
   *     notice came is durable at every required destination
   * @param cancelled whether the notice was withdrawn; asked every few milliseconds
   * @return empty when it was withdrawn: the agent goes on steadily
   * @throws IllegalStateException when the agent is going down already
   */
  public Optional<DrainReport> goDown(
      Duration untilDeadline, DrainListener listener, Runnable safe, BooleanSupplier cancelled)
      throws InterruptedException {
    return drains.goDown(untilDeadline, listener, safe, cancelled);
  }

  /**
   * A notice may come soon: from now on bytes are delivered younger than the configuration says; or
   * again as it says.
   */
  public void expectNotice(boolean expected) {
    stages.lanes().forEach(lane -> lane.expectNotice(expected));
  }

  /**
   * Delivers everything that is there now, in a hurry, and goes on steadily.
   *
   * @param deadline after which it is given up
   */
  public DrainReport drainAndGoOn(Duration deadline) throws InterruptedException {
    return drains.survive(deadline);
  }

  /**
   * After a drain, before {@link #close}: nothing is merged any more, and short segments that
   * longer ones replace are removed, which closing would leave to the next start after some
   * seconds.
   *
   * @param patience without progress
   */
  public void finishMerging(Duration patience) throws InterruptedException {
    for (Lane lane : stages.lanes()) {
      lane.finishMerging(patience);
    }
  }

  private Drain.DrainContext drainContext() {
    return new Drain.DrainContext(
        config.agent(),
        stages.watch(),
        stages.lanes().stream().map(Lane::forDrain).toList(),
        stages.problems(),
        stages.tempo(),
        environment.clocks(),
        environment.threads());
  }

  /** Whether a file that is watched, or was until it was done with, belongs to the source. */
  public boolean hasFilesOf(Source source) {
    SourceFilter filter = new SourceFilter(source.root(), source.include(), source.exclude());
    return stages.files().all().stream().anyMatch(file -> filter.wants(file.name()));
  }

  /** What the agent is doing. */
  public StatusReport status() {
    return new StatusSurvey(stages, environment.nanoClock())
        .report(
            config.agent(),
            startedAtMillis,
            new StatusReport.Safety(
                drains.phase(), drains.last(), riskWatch.map(RiskWatch::report)));
  }

  /** Opens the file to see which one the path leads to, and returns how far it is delivered. */
  public FileDelivery status(PosixPath path) throws IOException {
    return new FileSurvey(environment.calls(), stages).status(path);
  }

  /** What of being a good neighbour has no effect on this machine, and why. */
  public List<String> neighbourNotes() {
    return stages.neighbour().notes();
  }

  /** Of several required destinations, those of the one that has got the fewest bytes. */
  public DeliveryCounters counters() {
    return StatusSurvey.slowest(stages.lanes().stream().filter(Lane::isRequired).toList());
  }

  /**
   * Stops at once. What is not durable stays in the source files, and the next run goes on from
   * there; after a complete drain, nothing is.
   */
  @Override
  public void close() throws IOException {
    close(AgentShutdown.STAGE.plus(AgentShutdown.DELIVERY));
  }

  /**
   * The same.
   *
   * @param atMost how long threads are waited for that hang in a call; what they leave undone the
   *     next start does
   */
  public void close(Duration atMost) throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    CloseSequence closing = new CloseSequence();
    closing.run(() -> closeStages(atMost));
    stages.lanes().forEach(lane -> closing.run(lane::close));
    closing.end();
  }

  private void closeStages(Duration atMost) throws IOException {
    new AgentShutdown(stages, riskWatch, store).run(atMost);
  }
}
