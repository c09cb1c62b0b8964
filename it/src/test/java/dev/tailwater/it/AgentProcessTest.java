package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Signals;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real agent, and what its users do to it: ask, drain, signal. */
class AgentProcessTest {
  private static final long PATIENCE_SECONDS = 90;

  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void makeLogs() throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "line\n".repeat(10_000));
  }

  @AfterEach
  void killWhatIsLeft() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void sigtermDeliversEverythingAndExitsWithZero() throws Exception {
    Process agent = agent("--max-age", "1h");
    Files.writeString(directory.resolve("logs/b.log"), "written last, without a newline");
    agent.destroy();
    assertEquals(0, end(agent), messages());
    assertTrue(messages().contains("nothing is left"), messages());
    Packaged.Run cat =
        Packaged.tailwater(
            directory, "cat", "archive", directory.toRealPath().resolve("logs/b.log").toString());
    assertEquals("written last, without a newline", cat.out(), cat.err());
  }

  @Test
  void statusAndDrainAskTheRunningAgent() throws Exception {
    agent("--max-age", "1h");
    Packaged.Run drain = tailwater("drain", "--state", "state");
    assertEquals(0, drain.exitCode(), drain.err());
    assertTrue(drain.err().contains("nothing is left"), drain.err());
    Packaged.Run status = tailwater("status", "--state", "state");
    assertEquals(0, status.exitCode(), status.err());
    assertTrue(status.out().contains("nothing"), status.out());
    assertTrue(status.out().contains("web-1"), status.out());
    assertEquals(0, tailwater("status", "--state", "state", "logs/a.log").exitCode());
    Files.writeString(directory.resolve("other.txt"), "not shipped");
    assertEquals(3, tailwater("status", "--state", "state", "other.txt").exitCode());
  }

  @Test
  void aSecondAgentOnTheSameStateIsRefused() throws Exception {
    agent();
    Packaged.Run second =
        tailwater("ship", "--agent", "web-1", "--state", "state", "logs", "archive");
    assertEquals(1, second.exitCode(), second.err());
    assertTrue(second.err().contains("another agent uses"), second.err());
  }

  @Test
  void whatCannotBeDeliveredBeforeTheDeadlineIsListedAndExitsWithThree() throws Exception {
    Process agent = agent("--drain-deadline", "2s");
    breakArchive();
    Files.writeString(directory.resolve("logs/late.log"), "0123456789");
    awaitProblem();
    agent.destroy();
    assertEquals(3, end(agent), messages());
    assertTrue(messages().contains("left behind"), messages());
    assertTrue(messages().contains("logs/late.log  bytes [0, 10)"), messages());
  }

  @Test
  void aSecondSignalStopsAtOnce() throws Exception {
    Process agent = agent("--drain-deadline", "1h");
    breakArchive();
    Files.writeString(directory.resolve("logs/late.log"), "0123456789");
    awaitProblem();
    agent.destroy();
    await(() -> messages().contains("stops at once"));
    // What comes within two seconds of the first is the same signal.
    await(
        () -> {
          agent.destroy();
          return !agent.isAlive();
        });
    assertEquals(3, end(agent), messages());
    assertTrue(messages().contains("stopped at once"), messages());
  }

  @Test
  void goesOnAtSighupAndSaysOnceThatItDoesNotReload() throws Exception {
    Process agent = agent("--max-age", "100ms");
    for (int i = 0; i < 3; i++) {
      Signals.send("HUP", agent.toHandle());
      String log = "logs/after-" + i + ".log";
      Files.writeString(directory.resolve(log), "written after SIGHUP");
      await(() -> isDelivered(log) || !agent.isAlive());
      assertTrue(agent.isAlive(), messages());
      assertEquals(0, tailwater("status", "--state", "state", log).exitCode());
    }
    assertEquals(2, messages().split("SIGHUP: the agent goes on", -1).length, messages());
    agent.destroy();
    assertEquals(0, end(agent), messages());
  }

  @Test
  void anAgentThatIsStoppedIsNotWaitedForForEver() throws Exception {
    Process agent = agent();
    ControlClient client = new ControlClient(directory.resolve("state"), Duration.ofMillis(500));
    Signals.send("STOP", agent.toHandle());
    try {
      IOException e = assertThrows(IOException.class, client::status);
      assertTrue(String.valueOf(e.getMessage()).contains("has not answered 'status'"), "" + e);
      assertThrows(IOException.class, client::drain);
    } finally {
      Signals.send("CONT", agent.toHandle());
    }
    assertEquals(0, tailwater("status", "--state", "state").exitCode());
  }

  /** By the agent itself: the packaged {@code status} is a JVM each time. */
  private boolean isDelivered(String log) {
    try {
      Path file = directory.toRealPath().resolve(log);
      Optional<String> answer =
          new ControlClient(directory.resolve("state")).file(PosixPath.of(file));
      return answer.isPresent() && JsonText.parse(answer.get()).isTrue("delivered");
    } catch (IOException e) {
      return false; // It ends, or a busy machine keeps it from answering.
    }
  }

  @Test
  void aConfigurationFileStartsTheSameAgent() throws Exception {
    Files.writeString(
        directory.resolve("tailwater.yaml"),
        "agent: web-1\nstate: state\nsources: [logs]\ndestination: archive\nmax_age: 1h\n");
    Process agent = start("ship", "--config", "tailwater.yaml");
    awaitAgent(agent);
    agent.destroy();
    assertEquals(0, end(agent), messages());
    Packaged.Run verify = tailwater("verify", "archive", "--against", "logs");
    assertEquals(0, verify.exitCode(), verify.err());
  }

  @Test
  void saysWhichGlobMatchesNoFileYet() throws Exception {
    Process agent = agent("logs/*.out");
    await(() -> messages().contains("logs/*.out matches no file; it is waited for"));
    Files.writeString(directory.resolve("logs/late.out"), "late");
    await(() -> isDelivered("logs/late.out"));
    assertEquals(0, tailwater("status", "--state", "state", "logs/late.out").exitCode());
    agent.destroy();
    assertEquals(0, end(agent), messages());
  }

  /** Puts a file where the archive was: nothing can be delivered any more, whoever tries. */
  private void breakArchive() throws IOException {
    await(() -> Files.isDirectory(directory.resolve("archive")));
    Files.move(directory.resolve("archive"), directory.resolve("archive.away"));
    Files.createFile(directory.resolve("archive"));
  }

  private void awaitProblem() {
    await(() -> messages().contains("problem"));
  }

  private Process agent(String... options) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("ship", "--agent", "web-1", "--state", "state"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("logs", "archive"));
    Process agent = start(arguments.toArray(String[]::new));
    awaitAgent(agent);
    return agent;
  }

  private void awaitAgent(Process agent) {
    await(() -> messages().contains("agent web-1 ships to") || !agent.isAlive());
    assertTrue(agent.isAlive(), messages());
  }

  private Process start(String... arguments) throws IOException {
    // Who starts the tests by nohup(1) has SIGHUP ignored, and so has each child.
    List<String> command =
        new ArrayList<>(List.of("env", "--default-signal=HUP", Packaged.launcher()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(directory.resolve("messages.txt").toFile()))
            .start();
    started.add(process);
    return process;
  }

  private Packaged.Run tailwater(String... arguments) throws Exception {
    return Packaged.tailwater(directory, arguments);
  }

  private String messages() {
    return Packaged.text(directory.resolve("messages.txt"));
  }

  private int end(Process process) throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "still runs: " + messages());
    return process.exitValue();
  }

  private void await(BooleanSupplier condition) {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < giveUp, "waited in vain: " + messages());
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
