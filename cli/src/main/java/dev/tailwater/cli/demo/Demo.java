package dev.tailwater.cli.demo;

import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.cli.child.ChildAgent;
import dev.tailwater.cli.child.ChildProcesses;
import dev.tailwater.cli.child.FileTree;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A demo, step by step. Each step is reported on {@code err} when it is done. */
public final class Demo {
  private static final long FIRST_LIFE_MILLIS = 2_500;
  private static final long DEAD_MILLIS = 1_000;
  private static final long SECOND_LIFE_MILLIS = 2_500;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DemoPaths places;
  private final PrintStream err;
  private final long startNanos = System.nanoTime();

  private Demo(DemoPaths places, PrintStream err) {
    this.places = places;
    this.err = err;
  }

  /**
   * Runs the demo in a temporary directory, which is removed unless it is to be kept or something
   * failed.
   */
  public static DemoResult run(PrintStream err, boolean keep)
      throws IOException, InterruptedException {
    DemoPaths places = DemoPaths.create();
    DemoResult result;
    try (ChildProcesses processes = new ChildProcesses(places.output(), "see " + places.output())) {
      Thread cleaner = new Thread(processes::close);
      Runtime.getRuntime().addShutdownHook(cleaner);
      result = new Demo(places, err).run(processes);
      Runtime.getRuntime().removeShutdownHook(cleaner);
    }
    if (keep || !result.isWell()) {
      err.println("Everything is kept in " + places.root());
    } else {
      FileTree.delete(places.root());
    }
    return result;
  }

  private DemoResult run(ChildProcesses processes) throws IOException, InterruptedException {
    String recipient = makeKey();
    ChildAgent agent = startAgent(processes, recipient);
    say("the agent ships, encrypted, to " + places.archive());
    Process writer = processes.start(List.of("demo-writer", places.logs().toString()));
    say("a writer appends to files in " + places.logs() + " and rotates them");
    awaitFirstBytes();
    Thread.sleep(FIRST_LIFE_MILLIS);
    long atRiskBytes = agent.status().map(status -> status.number("atRiskBytes")).orElse(-1L);
    long writtenAtKillBytes = FileTree.bytesBelow(places.logs());
    agent.kill();
    double killedAtSeconds = seconds();
    say("the agent (process " + agent.pid() + ") is killed with SIGKILL; the writer goes on");
    Thread.sleep(DEAD_MILLIS);
    ChildAgent second = startAgent(processes, recipient);
    say("the agent is started again (process " + second.pid() + ")");
    Thread.sleep(SECOND_LIFE_MILLIS);
    writer.getOutputStream().close();
    expectEnd(processes.awaitEnd(writer, "the writer"), "the writer");
    say("the writer has ended; the agent is told to stop (SIGTERM)");
    second.terminate();
    if (!second.awaitEnd(PATIENCE)) {
      throw UserException.failed("the agent does not end", "see " + places.output());
    }
    expectEnd(second.exitCode(), "the agent");
    say("the agent has delivered everything and ended");
    processes.run(
        List.of(
            "restore",
            places.archive().toString(),
            places.restored().toString(),
            "--identity",
            places.key().toString()));
    say("the archive is restored to " + places.restored());
    DemoResult result = compare(killedAtSeconds, writtenAtKillBytes, atRiskBytes);
    say("compared byte for byte");
    return result;
  }

  private String makeKey() throws IOException {
    KeyPair pair = KeyPair.generate(new SecureRandom());
    Files.createFile(
        places.key(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(places.key(), pair.toFileText(Instant.now()));
    return pair.recipient().text();
  }

  private ChildAgent startAgent(ChildProcesses processes, String recipient)
      throws IOException, InterruptedException {
    List<String> arguments =
        List.of(
            "ship",
            places.logs().toString(),
            places.archive().toString(),
            "--agent",
            "demo",
            "--state",
            places.state().toString(),
            "--encrypt-to",
            recipient);
    return ChildAgent.start(processes, arguments, places.state());
  }

  private void awaitFirstBytes() throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + PATIENCE.toNanos();
    while (FileTree.bytesBelow(places.logs()) == 0) {
      if (System.nanoTime() > giveUp) {
        throw UserException.failed("the writer does not start", "see " + places.output());
      }
      Thread.sleep(20);
    }
  }

  private void expectEnd(int exitCode, String what) {
    if (exitCode != 0) {
      throw UserException.failed(what + " ended with " + exitCode, "see " + places.output());
    }
  }

  private DemoResult compare(double killedAtSeconds, long writtenAtKillBytes, long atRiskBytes)
      throws IOException {
    List<Path> differing = new ArrayList<>();
    List<Path> sources = FileTree.filesBelow(places.logs());
    for (Path source : sources) {
      Path copy = places.restored().resolve(Path.of("/").relativize(source));
      if (!Files.isRegularFile(copy) || Files.mismatch(source, copy) != -1) {
        differing.add(source);
      }
    }
    List<Path> objects = FileTree.filesBelow(places.archive());
    long rotated = sources.stream().filter(path -> !path.toString().endsWith(".log")).count();
    return new DemoResult(
        sources.size(),
        rotated,
        FileTree.bytesBelow(places.logs()),
        killedAtSeconds,
        writtenAtKillBytes,
        atRiskBytes,
        objects.stream().filter(path -> path.toString().endsWith(".age")).count(),
        FileTree.bytesBelow(places.archive()),
        FileTree.filesBelow(places.restored()).size(),
        FileTree.bytesBelow(places.restored()),
        List.copyOf(differing));
  }

  private double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private void say(String what) {
    err.printf(Locale.ROOT, "%5.1f s  %s%n", seconds(), what);
  }
}
