package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A machine as an agent sees it: a directory {@code logs} that programs write to, and {@code
 * archive} and {@code state} beside it. Agents are processes of the packaged program.
 */
final class Site implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 120;
  static final String AGENT = "web-1";

  private final Path base;
  private final List<Process> started = new ArrayList<>();
  private List<String> runAs = List.of();
  private String destination = "archive";
  private Map<String, String> environment = Map.of();

  Site(Path directory) throws IOException {
    this.base = directory.toRealPath();
    Files.createDirectories(logs());
  }

  /** From now on, every command is run through this one. */
  void runAs(List<String> command) {
    runAs = List.copyOf(command);
  }

  /** From now on, agents and commands know this destination, in this environment. */
  void shipTo(String newDestination, Map<String, String> newEnvironment) {
    destination = newDestination;
    environment = Map.copyOf(newEnvironment);
  }

  /** As it is given to the commands. */
  String destination() {
    return destination;
  }

  Path base() {
    return base;
  }

  Path logs() {
    return base.resolve("logs");
  }

  Path log(String name) {
    return logs().resolve(name);
  }

  Path archive() {
    return base.resolve("archive");
  }

  /** Where {@link #restore} puts what was at this path. */
  Path restored(Path original) {
    return base.resolve("restored").resolve(original.toString().substring(1));
  }

  /** An agent that has looked at everything once. */
  Process agent(String... options) throws Exception {
    List<String> command = new ArrayList<>(runAs);
    command.addAll(List.of(Packaged.launcher(), "ship", "--agent", AGENT, "--state", "state"));
    if (!List.of(options).contains("--max-age")) {
      command.addAll(List.of("--max-age", "100ms"));
    }
    command.addAll(List.of(options));
    command.addAll(List.of("logs", destination));
    return launch(command);
  }

  /** The same by arguments that name everything. */
  Process start(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(runAs);
    command.add(Packaged.launcher());
    command.addAll(List.of(arguments));
    return launch(command);
  }

  private Process launch(List<String> command) throws Exception {
    int agentsBefore = agentsReady();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(base.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(base.resolve("messages.txt").toFile()));
    Packaged.putAll(environment, builder.environment());
    Process agent = builder.start();
    started.add(agent);
    await("the agent is ready", () -> agentsReady() > agentsBefore || !agent.isAlive());
    assertTrue(agent.isAlive(), messages());
    return agent;
  }

  private int agentsReady() {
    return messages().split("agent " + AGENT + " ships to", -1).length - 1;
  }

  /** What all agents have said. */
  String messages() {
    Path file = base.resolve("messages.txt");
    return Files.exists(file) ? Packaged.text(file) : "";
  }

  /** SIGTERM; the agent must end with this exit code. */
  void stop(Process agent, int exitCode) throws InterruptedException {
    assertEquals(exitCode, stop(agent), messages());
  }

  /** SIGTERM; returns the exit code. */
  int stop(Process agent) throws InterruptedException {
    agent.destroy();
    assertTrue(agent.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "still runs: " + messages());
    assertNoStackTrace(messages());
    return agent.exitValue();
  }

  /** SIGKILL. */
  void kill(Process agent) throws InterruptedException {
    agent.destroyForcibly();
    assertTrue(agent.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "still runs after SIGKILL");
  }

  /** Runs the program to its end, which is never a stack trace. */
  Packaged.Run tailwater(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(runAs);
    command.add(Packaged.launcher());
    command.addAll(List.of(arguments));
    Packaged.Run run = Packaged.run(base, environment, command);
    assertNoStackTrace(run.err());
    return run;
  }

  Packaged.Run shipOnce(String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("ship", "--once", "--agent", AGENT, "--state", "state"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("logs", destination));
    return tailwater(arguments.toArray(String[]::new));
  }

  Packaged.Run restore(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("restore"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of(destination, "restored"));
    return tailwater(arguments.toArray(String[]::new));
  }

  /** Restores everything without loss, and compares every file that is there. */
  void restoreAndCompare(String... options) throws Exception {
    Packaged.Run restore = restore(options);
    assertEquals(0, restore.exitCode(), restore.err());
    compare(restore);
  }

  /**
   * Restores and compares where an agent was killed beside programs that replace files, or delete
   * them. One that it had seen and not delivered is gone when the next agent starts, which says so.
   */
  void restoreAndCompareButWhatIsReplaced(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--json");
    Packaged.Run restore = restore(all.toArray(String[]::new));
    boolean lacks = false;
    for (JsonText stream : JsonText.parse(restore.out()).objects("streams")) {
      for (JsonText gap : stream.objects("gaps")) {
        assertEquals("the file vanished while no agent watched", gap.text("reason"), restore.out());
        lacks = true;
      }
      assertEquals(List.of(), stream.objects("missing"), restore.out());
      assertEquals(List.of(), stream.objects("damages"), restore.out());
    }
    assertEquals(lacks ? 3 : 0, restore.exitCode(), restore.err());
    compare(restore);
  }

  /** Every file that is there was restored byte for byte. */
  void compare(Packaged.Run restore) throws IOException {
    Map<Path, String> differences = new TreeMap<>();
    for (Path file : files(logs())) {
      Path restored = restored(file);
      if (!Files.exists(restored)) {
        differences.put(file, "is not in the restored tree");
      } else if (Files.mismatch(file, restored) != -1) {
        differences.put(
            file,
            Files.size(file)
                + " bytes here, "
                + Files.size(restored)
                + " restored, different from byte "
                + Files.mismatch(file, restored));
      }
    }
    assertEquals(Map.of(), differences, restore.err());
  }

  /** All files below a directory, sorted; without those that go away meanwhile. */
  static List<Path> files(Path directory) throws IOException {
    Set<Path> files = new TreeSet<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
            if (why instanceof NoSuchFileException && !file.equals(directory)) {
              return FileVisitResult.CONTINUE;
            }
            throw why;
          }
        });
    return List.copyOf(files);
  }

  /** The segments in the archive, in the order of their names. */
  List<Path> segments() throws IOException {
    return files(archive()).stream()
        .filter(file -> !file.toString().endsWith(".json") && !file.toString().endsWith(".gap"))
        .toList();
  }

  static void assertNoStackTrace(String text) {
    assertFalse(text.contains("\n\tat ") || text.contains("Exception"), text);
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      assertTrue(System.nanoTime() < giveUp, "waited in vain: " + what);
      Thread.sleep(20);
    }
  }

  /**
   * The running agent, asked by this process: who waits asks often, and the packaged {@code status}
   * is a JVM each time.
   */
  ControlClient asked() {
    return new ControlClient(base.resolve("state"));
  }

  /** What the running agent says of itself; nothing while it does not answer. */
  JsonText said() throws IOException {
    return JsonText.parse(asked().status().orElse("{}"));
  }

  /** Waits until the running agent says that the file is delivered to its end. */
  void awaitDelivered(Path file) throws Exception {
    await(
        file + " is delivered",
        () -> {
          Optional<String> answer = asked().file(PosixPath.of(file));
          return answer.isPresent() && JsonText.parse(answer.get()).isTrue("delivered");
        });
  }

  @Override
  public void close() {
    for (Process process : started) {
      process.destroyForcibly();
      process.onExit().join();
    }
  }
}
