package dev.tailwater.cli.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.NoticeSettings;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.delivery.Agent;
import dev.tailwater.delivery.AgentDestination;
import dev.tailwater.delivery.AgentEnvironment;
import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.hook.HookMoment;
import dev.tailwater.delivery.hook.Hooks;
import dev.tailwater.delivery.notice.Detection;
import dev.tailwater.delivery.notice.Notice;
import dev.tailwater.delivery.notice.NoticeSource;
import dev.tailwater.delivery.notice.Notices;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real agent that comes to its end. */
class AgentShutdownTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final Duration LATER = Duration.ofHours(1);

  private final InMemoryDestination archive = InMemoryDestination.create();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final StopSignals signals = new StopSignals(System::nanoTime);
  private final CompletableFuture<List<Notice>> terminations = new CompletableFuture<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private Path base;

  @BeforeEach
  void writeLog(@TempDir Path directory) throws Exception {
    base = directory.toRealPath();
    Files.createDirectories(base.resolve("logs"));
    Files.writeString(base.resolve("logs/a.log"), "line\n");
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private <T extends AutoCloseable> T closedLater(T one) {
    open.add(one);
    return one;
  }

  /** Says nothing, until it is told that the machine goes away. */
  private final class Cloud implements NoticeSource {
    @Override
    public String name() {
      return "cloud";
    }

    @Override
    public Duration pause() {
      return Duration.ofMillis(10);
    }

    @Override
    public List<Notice> ask() {
      return terminations.getNow(List.of());
    }
  }

  private void sayThatTheMachineGoesAway() {
    terminations.complete(
        List.of(
            new Notice(
                Notice.Kind.TERMINATION,
                "1",
                Optional.of(Duration.ofSeconds(2)),
                Duration.ofSeconds(2),
                "gone soon")));
  }

  /** All that {@link AgentProcess} puts together. */
  private final class Running {
    final Surroundings surroundings =
        new Surroundings(
            new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
            new PrintStream(err, true, UTF_8),
            Map.of(),
            base,
            OptionalInt.empty());
    final Problems besides =
        new Problems(new ProblemPrinter(surroundings), System::currentTimeMillis);
    final List<String> hookLines = new CopyOnWriteArrayList<>();
    final Hooks hooks;
    final PhaseHooks phases;
    final NoticeFollower departure;
    private final AgentShutdown end;

    Running(Map<HookMoment, UserCommand> commands) throws Exception {
      AgentDestination destination =
          new AgentDestination("archive", archive, true, Bandwidth.UNLIMITED);
      ShipPlan plan =
          TestPlan.of(
              base,
              archive.uri(),
              new ShipSettings.Builder()
                  .set(ShipKey.DRAIN_DEADLINE, Durations.format(LATER))
                  .notices(new NoticeSettings(List.of(), commands))
                  .build());
      Files.createDirectories(plan.stateDirectory());
      Agent agent =
          closedLater(
              Agent.start(
                  plan.config(),
                  List.of(destination),
                  RetryPolicy.forever(),
                  AgentEnvironment.system(),
                  new ProblemPrinter(surroundings)));
      agent.awaitFirstScan();
      hooks = closedLater(new Hooks(commands, besides, (moment, line) -> hookLines.add(line)));
      phases = new PhaseHooks(hooks);
      departure = closedLater(new NoticeFollower(agent, phases, plan.settings().drainDeadline()));
      Notices notices =
          closedLater(
              Notices.start(
                  List.of(new Cloud()),
                  () -> Detection.NONE,
                  besides,
                  System::nanoTime,
                  new NoticePrinter(surroundings, departure::noticesChanged)));
      departure.follow(notices);
      end = new AgentShutdown(agent, departure, hooks, phases, notices, plan, surroundings);
    }

    Future<ExitCode> end() {
      var executor = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon(true).factory());
      try {
        return executor.submit(
            () -> {
              try (ForcedExit atOnce = ForcedExit.begin(signals, LATER, surroundings, code -> {})) {
                atOnce.started(OptionalLong::empty);
                return end.await(signals, atOnce);
              }
            });
      } finally {
        executor.shutdown();
      }
    }
  }

  private String said() {
    return err.toString(UTF_8);
  }

  private static ExitCode outcome(Future<ExitCode> end) throws Exception {
    return end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** What the destination was told of what is left. */
  private String leftBehind() {
    List<String> records =
        archive.snapshot().entrySet().stream()
            .filter(entry -> entry.getKey().contains("left-behind"))
            .map(entry -> new String(entry.getValue(), UTF_8))
            .toList();
    assertEquals(1, records.size());
    return records.getFirst();
  }

  @Test
  void aSignalAfterTheAgentHasGoneDownDrainsNothingAgain() throws Exception {
    Running running = new Running(Map.of());
    sayThatTheMachineGoesAway();
    running.departure.ended().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    String record = leftBehind();
    signals.arrived("TERM");
    assertEquals(ExitCode.DONE, outcome(running.end()), this::said);
    assertEquals(record, leftBehind());
    assertTrue(said().contains("reading has stopped"), this::said);
  }

  @Test
  void aMachineThatGoesAwayWhileTheHookOfASignalRunsEndsTheDrain() throws Exception {
    Running running =
        new Running(Map.of(HookMoment.HURRY, UserCommand.shell("exec sleep 3600", LATER)));
    signals.arrived("TERM");
    Future<ExitCode> end = running.end();
    while (!running.hooks.isRunning()) {
      assertFalse(end.isDone(), this::said);
      Thread.sleep(5);
    }
    sayThatTheMachineGoesAway();
    assertEquals(ExitCode.DONE, outcome(end), this::said);
    assertTrue(leftBehind().contains("\"leftBehindBytes\":0"), this::leftBehind);
  }

  private static boolean departs() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("departure"));
  }

  @Test
  void aNoticeAfterTheDrainOfASignalChangesNothingInItsRecord() throws Exception {
    Path drained = base.resolve("drained");
    Path over = base.resolve("over");
    Running running =
        new Running(
            Map.of(
                HookMoment.SAFE,
                UserCommand.shell(
                    "touch %s; until [ -e %s ]; do sleep 0.01; done".formatted(drained, over),
                    LATER)));
    signals.arrived("TERM");
    Future<ExitCode> end = running.end();
    while (!Files.exists(drained)) {
      assertFalse(end.isDone(), this::said);
      Thread.sleep(5);
    }
    String record = leftBehind();
    sayThatTheMachineGoesAway();
    while (departs()) {
      Thread.sleep(5);
    }
    Files.createFile(over);
    assertEquals(ExitCode.DONE, outcome(end), this::said);
    assertEquals(record, leftBehind());
  }

  @Test
  void whenNobodyHeedsNoticesAnyMoreTheAgentDeliversAndEnds() throws Exception {
    Running running = new Running(Map.of());
    running.departure.ended().completeExceptionally(new OutOfMemoryError("says a test"));
    assertEquals(ExitCode.FAILED, outcome(running.end()), this::said);
    assertTrue(said().contains("acting on notices has failed"), this::said);
    assertTrue(leftBehind().contains("\"leftBehindBytes\":0"), this::leftBehind);
  }

  @Test
  void whatBecomesOfNoticesAfterASignalIsNoReturnToNormal() throws Exception {
    Running running =
        new Running(
            Map.of(
                HookMoment.HURRY, UserCommand.shell("echo hurry", LATER),
                HookMoment.STEADY, UserCommand.shell("echo steady", LATER)));
    signals.arrived("TERM");
    assertEquals(ExitCode.DONE, outcome(running.end()), this::said);
    running.phases.steady();
    assertTrue(running.hooks.await(Duration.ofSeconds(PATIENCE_SECONDS)));
    assertEquals(List.of("hurry"), running.hookLines);
  }
}
