package dev.tailwater.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.VerifyingKey;
import dev.tailwater.delivery.checkpoint.AgentState;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.DrainContext;
import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * A running agent: watches files, reads, seals and delivers what is appended to them, and saves
 * checkpoints, until it is closed. Thread-safe.
 */
public final class Agent implements AutoCloseable {
  private static final Duration NO_TIME = Duration.ZERO;

  /** How long a drain without a deadline waits for directories to be told, at most half of it. */
  private static final Duration TREE_WITHOUT_DEADLINE = Duration.ofMinutes(2);

  private final AgentConfig config;
  private final AgentEnvironment environment;
  private final AgentState state;
  private final Assembly.Stages stages;
  private final long startedAtMillis;
  private final Drains drains;
  private final Optional<RiskWatch> riskWatch;
  private final StateWatch stateWatch;

  @GuardedBy("this")
  private boolean closed;

  /**
   * Starts an agent for one destination.
   *
   * @param destination closed with the agent
   * @param retries how calls to the destination are repeated after failures
   * @throws dev.tailwater.store.StoreLockedException when another agent uses the state directory
   * @throws IOException when the state cannot be read (a damaged one is set aside), or the
   *     destination refuses permanently to be listed; nothing is running then
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
   * Starts an agent for several destinations. It waits for none of them; one that cannot be reached
   * is reported and tried again.
   *
   * @param destinations one or more with different names and URIs, at least one of them required;
   *     closed with the agent
   * @param retries how calls to the destinations are repeated after failures
   * @throws dev.tailwater.store.StoreLockedException when another agent uses the state directory
   * @throws IOException when the state cannot be read, or when there is just one destination and it
   *     refuses permanently to be listed; nothing is running then
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
    Agent agent;
    try {
      Assembly.Stages stages =
          new Assembly(
                  new SharedStages(
                      config, environment, retries, listener, state, destinations.size()),
                  destinations)
              .assemble();
      state.report(stages.problems());
      agent = new Agent(config, environment, state, stages);
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(e, state::close);
      throw e;
    }
    try {
      agent.begin();
    } catch (RuntimeException | Error e) {
      closeAfter(e, () -> agent.closeStages(NO_TIME)); // The caller closes the destinations.
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
    var _ = stages.watch().firstScan().thenRun(() -> stages.lanes().forEach(Lane::startTree));
    stages.watch().start();
    stages.comparer().start();
    riskWatch.ifPresent(RiskWatch::start);
    stateWatch.start();
    stages.hangs().start();
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
      AgentConfig config, AgentEnvironment environment, AgentState state, Assembly.Stages stages) {
    this.config = config;
    this.environment = environment;
    this.state = state;
    this.stages = stages;
    this.drains = new Drains(this::drainContext, environment.clocks());
    this.riskWatch =
        RiskWatch.of(
            config.limits().maxAtRisk(),
            stages.lanes(),
            stages.hangs(),
            stages.problems(),
            environment.nanoClock());
    this.stateWatch = new StateWatch(state, stages.problems());
    this.startedAtMillis = environment.clockMillis().getAsLong();
  }

  /**
   * Delivers in a hurry until the lease is closed, as for a run that ends when all is delivered.
   */
  public Tempo.Lease hurry() {
    return stages.tempo().lease(Tempo.Mode.HURRY);
  }

  /**
   * Waits until everything that was there at the start has been seen, or so many files were found
   * that others are not looked for until some of these are delivered.
   */
  public void awaitFirstScan() throws InterruptedException, IOException {
    try {
      stages.watch().firstLook().get();
    } catch (ExecutionException e) {
      throw new IOException("watching failed: " + e.getCause(), e);
    }
  }

  /**
   * Drains the agent before it is closed: delivers everything that is there now, in a hurry. When
   * something is left near the deadline, reading stops, and each destination gets a record of what
   * is left.
   *
   * @param deadline how long it may take; empty: as long as it makes progress
   */
  public DrainReport drain(Optional<Duration> deadline) throws InterruptedException {
    return drain(deadline, DrainListener.NONE);
  }

  /**
   * Drains the agent before it is closed. While the agent {@linkplain #goDown goes down}, this
   * joins that drain: it then ends as soon as nothing is at risk, by the earlier of both deadlines,
   * and both callers get its report; only the listener of the first is told of its phases. Once the
   * agent has gone down, this returns the report of that.
   *
   * @param listener is told of the phases; the last gasp comes only if something is left
   */
  public DrainReport drain(Optional<Duration> deadline, DrainListener listener)
      throws InterruptedException {
    long startNanos = environment.nanoClock().getAsLong();
    DrainReport report = drains.end(deadline, listener);
    Duration spent = Duration.ofNanos(environment.nanoClock().getAsLong() - startNanos);
    finishTrees(deadline.map(time -> time.minus(spent)).orElse(TREE_WITHOUT_DEADLINE));
    return report;
  }

  /**
   * Drains the agent before the machine goes away: delivers in a hurry, including what is written
   * meanwhile, until shortly before the deadline. Then the last gasp comes: reading stops for good,
   * and each destination gets a record of what is left, even if that is nothing.
   *
   * @param safe called once, on the calling thread, as soon as all that had been written when the
   *     notice came is durable at every required destination
   * @param cancelled returns whether the notice was withdrawn; asked every few milliseconds
   * @return empty when it was withdrawn, and the agent goes on in steady state
   * @throws IllegalStateException when the agent is going down already
   */
  public Optional<DrainReport> goDown(
      Duration untilDeadline, DrainListener listener, Runnable safe, BooleanSupplier cancelled)
      throws InterruptedException {
    return drains.goDown(untilDeadline, listener, safe, cancelled);
  }

  /**
   * Notes whether a notice may come soon. As long as one may, bytes are delivered while they are
   * younger than the configuration says.
   */
  public void expectNotice(boolean expected) {
    stages.lanes().forEach(lane -> lane.expectNotice(expected));
  }

  /**
   * Delivers everything that is there now, in a hurry, and goes on in steady state.
   *
   * @param deadline how long it may take
   */
  public DrainReport drainAndGoOn(Duration deadline) throws InterruptedException {
    return drains.survive(deadline);
  }

  /**
   * Ends merging, after a drain and before {@link #close}, and removes the short segments that
   * longer ones supersede. Closing alone would leave them to the next start after some seconds.
   *
   * @param patience how long to wait without progress
   */
  public void finishMerging(Duration patience) throws InterruptedException {
    for (Lane lane : stages.lanes()) {
      lane.finishMerging(patience);
    }
  }

  /** Tells all destinations of the directories that there are now, as far as there is time. */
  private void finishTrees(Duration left) throws InterruptedException {
    Deadline end = Deadline.after(left.dividedBy(2), environment.nanoClock());
    for (Lane lane : stages.lanes()) {
      lane.finishTree(end.left());
    }
  }

  private DrainContext drainContext() {
    return new DrainContext(
        config.agent(),
        stages.watch(),
        stages.lanes().stream().map(Lane::forDrain).toList(),
        stages.problems(),
        stages.tempo(),
        environment.clocks(),
        environment.threads(),
        stages.signer());
  }

  /** Returns the key that others check the signatures with; empty if nothing is signed. */
  public Optional<VerifyingKey> signingKey() {
    return stages.signer().map(ObjectSigner::publicKey);
  }

  /** Returns whether any file that is watched belongs to the source. */
  public boolean hasFilesOf(Source source) {
    return stages.files().hasFilesOf(config.scope().sources().indexOf(source));
  }

  /** Returns how many symbolic links are left out, as of the last listing of each directory. */
  public long leftOutLinks() {
    return config.scope().leftOutOf(stages.watch().statistics().links());
  }

  /** Returns whether the path of the state directory still leads to the state of this agent. */
  public boolean isStateInPlace() throws IOException {
    return state.isInPlace();
  }

  /** Returns whether the state has all that it was to be told. */
  boolean isStateSaved() {
    return stages.lanes().stream().allMatch(Lane::isStateSaved);
  }

  /** Returns how many files are in memory: the others are quiet. */
  int filesInMemory() {
    return stages.files().all().size();
  }

  /** Returns what the agent is doing. */
  public StatusReport status() {
    return new StatusSurvey(config, stages, environment.nanoClock())
        .report(
            startedAtMillis,
            new StatusReport.Safety(
                drains.phase(), drains.last(), riskWatch.map(RiskWatch::report), Optional.empty()));
  }

  /**
   * Returns how many bytes are at risk; empty while not every file was looked at, or a call on one
   * does not return.
   */
  public OptionalLong knownAtRiskBytes() {
    return stages.watch().firstScan().isDone() && stages.hangs().unseenMillis() == 0
        ? OptionalLong.of(status().progress().atRiskBytes())
        : OptionalLong.empty();
  }

  /** Opens the file to see which one the path leads to, and returns how far it is delivered. */
  public FileDelivery status(PosixPath path) throws IOException {
    return new FileSurvey(stages.sourceCalls(), stages).status(path);
  }

  /** Returns which settings for being a good neighbour have no effect on this machine, and why. */
  public List<String> neighbourNotes() {
    return stages.neighbour().notes();
  }

  /** Returns the counters of the slowest required destination: the one with the fewest bytes. */
  public DeliveryCounters counters() {
    return StatusSurvey.slowest(stages.lanes().stream().filter(Lane::isRequired).toList());
  }

  /**
   * Stops at once. What is not durable stays in the source files, and the next run goes on from
   * there; after a complete drain, everything is durable.
   */
  @Override
  public void close() throws IOException {
    close(AgentShutdown.STAGE.plus(AgentShutdown.DELIVERY));
  }

  /**
   * Stops at once, as {@link #close()} does.
   *
   * @param atMost how long to wait for threads that hang in a call; the next start does what they
   *     leave undone
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
    new AgentShutdown(stages, riskWatch, stateWatch, state).run(atMost);
  }
}
