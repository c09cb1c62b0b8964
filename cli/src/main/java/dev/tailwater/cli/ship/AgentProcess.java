package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.Compression;
import dev.tailwater.cli.host.OpenFileShortage;
import dev.tailwater.cli.host.PrivateDirectory;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.AgentDestination;
import dev.tailwater.delivery.AgentEnvironment;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.hook.HookMoment;
import dev.tailwater.delivery.hook.Hooks;
import dev.tailwater.delivery.notice.Notices;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/** An agent in this process, from its start to its end. */
public final class AgentProcess {
  /**
   * The longest wait for a destination that is away with {@code --once}, because somebody waits for
   * the end.
   */
  private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(60);

  /** The pause between two attempts to make a control socket. */
  private static final Duration LISTEN_AGAIN = Duration.ofSeconds(2);

  private final ShipPlan plan;
  private final Surroundings surroundings;
  private final UnaryOperator<Destination> way;
  private final IntConsumer halt;

  public AgentProcess(ShipPlan plan, Surroundings surroundings) {
    this(plan, surroundings, UnaryOperator.identity());
  }

  /**
   * Creates one for a rehearsal.
   *
   * @param way makes of each destination what the agent sees of it
   */
  public AgentProcess(ShipPlan plan, Surroundings surroundings, UnaryOperator<Destination> way) {
    this(plan, surroundings, way, Runtime.getRuntime()::halt);
  }

  /**
   * The same.
   *
   * @param halt ends the process with an exit code, whatever it is doing
   */
  AgentProcess(
      ShipPlan plan, Surroundings surroundings, UnaryOperator<Destination> way, IntConsumer halt) {
    this.plan = plan;
    this.surroundings = surroundings;
    this.way = way;
    this.halt = halt;
  }

  /**
   * Delivers what is there, and returns; a signal gives it the deadline of a drain. A second signal
   * ends the process at once, as {@link #untilSignal} says.
   */
  public ExitCode once(StopSignals signals) throws IOException, InterruptedException {
    MissingSources missing = new MissingSources(plan, surroundings);
    try (ForcedExit atOnce =
        ForcedExit.begin(signals, plan.settings().drainDeadline(), surroundings, halt)) {
      CompletableFuture<Integer> absent = missing.reportAbsent("it is left out");
      missing.requireExisting(absent);
      long startedNanos = System.nanoTime();
      var _ = HeapTrimmer.start();
      try (ClosedAgent closed = new ClosedAgent(start(RetryPolicy.until(GIVE_UP_AFTER)))) {
        Agent agent = closed.agent();
        atOnce.started(agent::knownAtRiskBytes);
        return new SingleRun(agent, missing, absent, plan, surroundings, GIVE_UP_AFTER)
            .run(signals, atOnce, startedNanos);
      }
    }
  }

  private void reportMissing(Agent agent) {
    try {
      agent.awaitFirstScan();
      MissingSources missing = new MissingSources(plan, surroundings);
      var _ = missing.reportUnmatched(agent::hasFilesOf, "; it is waited for");
      missing.reportLinks(agent.leftOutLinks());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      say("it is not known whether every glob matches a file: " + e.getMessage());
    }
  }

  /**
   * Closes the agent. If its state cannot be closed, what it reported as delivered is delivered all
   * the same.
   */
  private final class ClosedAgent implements AutoCloseable {
    private final Agent agent;

    ClosedAgent(Agent agent) {
      this.agent = agent;
    }

    Agent agent() {
      return agent;
    }

    @Override
    public void close() {
      try {
        agent.close();
      } catch (IOException e) {
        say("the state could not be closed: " + e.getMessage());
        hint("the next start asks the destination what it holds; check the disk of the state");
      }
    }
  }

  /**
   * Delivers until a signal comes or the deadline of a notice is near, then drains. A second signal
   * ends the process at once, and so does the deadline of the drain if the start is not over by
   * then.
   */
  public ExitCode untilSignal(StopSignals signals) throws IOException, InterruptedException {
    HeapTrimmer trimmer = HeapTrimmer.start();
    var _ = signals.first().thenRun(trimmer::hurry);
    ConfiguredNotices watched = new ConfiguredNotices(plan, surroundings);
    // A failed hook does not make a drain incomplete, so these are not problems of the agent.
    Problems besides = new Problems(new ProblemPrinter(surroundings), System::currentTimeMillis);
    try (ForcedExit atOnce =
            ForcedExit.begin(signals, plan.settings().drainDeadline(), surroundings, halt);
        ClosedAgent closed = new ClosedAgent(start(RetryPolicy.forever()));
        Hooks hooks = new Hooks(plan.settings().notices().hooks(), besides, this::sayLineOfHook)) {
      Agent agent = closed.agent();
      atOnce.started(agent::knownAtRiskBytes);
      var _ = new MissingSources(plan, surroundings).reportAbsent("it is waited for");
      PhaseHooks phases = new PhaseHooks(hooks);
      try (NoticeFollower departure =
              new NoticeFollower(agent, phases, plan.settings().drainDeadline());
          Notices notices =
              watched.start(besides, new NoticePrinter(surroundings, departure::noticesChanged))) {
        departure.follow(notices);
        try (ControlListening listening =
            ControlListening.begin(
                plan.stateDirectory(),
                agent::isStateInPlace,
                new AgentControl(agent, plan.settings().drainDeadline(), notices, besides),
                besides,
                LISTEN_AGAIN,
                ThreadMaker.platform())) {
          say("agent " + plan.config().agent() + " ships to " + destinations());
          agent.signingKey().ifPresent(key -> say("it signs with the key " + key));
          // By itself: a source may hang, and a signal must be heard all the same.
          Thread.ofPlatform().name("globs").daemon(true).start(() -> reportMissing(agent));
          agent.neighbourNotes().forEach(note -> say("note: " + note));
          AgentShutdown shutdown =
              new AgentShutdown(agent, departure, hooks, phases, notices, plan, surroundings);
          listening.await(shutdown.isDue(signals));
          return shutdown.await(signals, atOnce);
        }
      }
    }
  }

  private void sayLineOfHook(HookMoment moment, String line) {
    surroundings
        .err()
        .println("tailwater: hook on_" + moment.word() + ": " + Printable.sentence(line));
  }

  private String destinations() {
    return String.join(
        " and ",
        plan.destinations().stream()
            .map(target -> target.uri() + (target.required() ? "" : " (best effort)"))
            .toList());
  }

  /**
   * Opens all JARs of the program: once there is no descriptor left, as may happen in a drain, a
   * class that is needed for the first time could not be loaded any more.
   */
  private static void openOwnJars() {
    // A search for a resource that no JAR has opens all of them.
    var _ = AgentProcess.class.getClassLoader().getResource("tailwater-has-no-such-resource");
  }

  private Agent start(RetryPolicy retries) throws IOException {
    OpenFileShortage.hint().ifPresent(this::say);
    openOwnJars();
    PrivateDirectory.makeOrRequire(plan.stateDirectory());
    Compression.require(surroundings, plan.stateDirectory());
    AgentEnvironment environment = AgentEnvironment.system();
    List<AgentDestination> destinations = openDestinations(environment);
    try {
      return Agent.start(
          plan.configFor(destinations),
          destinations,
          retries,
          environment,
          new ProblemPrinter(surroundings));
    } catch (StoreLockedException e) {
      UserException reason = inUse(e);
      OpenDestinations.close(destinations, reason);
      throw reason;
    } catch (StoreWriteException e) {
      UserException reason = unwritten(e);
      OpenDestinations.close(destinations, reason);
      throw reason;
    } catch (IOException | RuntimeException | Error e) {
      OpenDestinations.close(destinations, e);
      throw e;
    }
  }

  /**
   * Opens the destinations, and has the lock of the state meanwhile: a destination may not answer
   * for long, and 'status' then sees that an agent is starting.
   */
  private List<AgentDestination> openDestinations(AgentEnvironment environment) throws IOException {
    PosixPath place = PosixPath.of(plan.stateDirectory());
    try (StoreDirectory state = StoreDirectory.openExisting(environment.calls(), place);
        DirectoryLock _ = DirectoryLock.take(state)) {
      return new OpenDestinations(plan.destinations(), environment, surroundings, way).open();
    } catch (StoreLockedException e) {
      throw inUse(e);
    }
  }

  /** A supervisor starts it again and again: its log must say that it delivers nothing. */
  private UserException unwritten(StoreWriteException e) {
    Path state = plan.stateDirectory();
    boolean full =
        e.getCause() instanceof ErrnoException call
            && (call.errno() == Errno.ENOSPC || call.errno() == Errno.EDQUOT);
    return UserException.failed(
        "the agent cannot start, and delivers nothing: " + e.getMessage(),
        "it must note each start in its state before it delivers; "
            + (full
                ? "make room there (df " + state + ", df -i " + state + "), and start it again"
                : e.hint()),
        e);
  }

  private UserException inUse(StoreLockedException e) {
    return UserException.failed(
        "another agent uses " + plan.stateDirectory() + ": " + e.getMessage(),
        "'tailwater status --state " + plan.stateDirectory() + "' asks it; or use another --state");
  }

  private void hint(String message) {
    surroundings.err().println("Hint: " + Printable.text(message));
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
