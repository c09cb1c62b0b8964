package dev.tailwater.bench.run;

import dev.tailwater.archive.age.KeyPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Which program is measured, where, and where the result goes. */
public final class ProgramOptions {
  private static final long POLL_MILLIS = 200;

  @Option(
      names = "--program",
      required = true,
      paramLabel = "FILE",
      description = "The packaged program, bin/tailwater of a distribution.")
  private Path program = Path.of("");

  @Option(
      names = "--work",
      required = true,
      paramLabel = "DIR",
      description = "An empty or absent directory on the file system to measure on; emptied again.")
  private Path work = Path.of("");

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      description = "Where the result is written, besides standard output.")
  private Path runs = Path.of("");

  /** A key pair that is thrown away with the process. */
  private final String recipient = KeyPair.generate(new SecureRandom()).recipient().text();

  public Path work() throws IOException {
    return Files.createDirectories(work).toRealPath();
  }

  /** An age public key. */
  public String recipient() {
    return recipient;
  }

  public RunReport report(String name) throws IOException {
    return new RunReport(name, work(), directories(runs));
  }

  /** None for the empty path. */
  public static List<Path> directories(Path runs) {
    return runs.toString().isEmpty() ? List.of() : List.of(runs);
  }

  /** {@code tailwater ship} with state and archive below the work directory. */
  public List<String> ship(boolean encrypted, Path source, List<String> more) throws IOException {
    return ship(encrypted, source, archive().toString(), more);
  }

  /** The same, to another place. */
  public List<String> ship(boolean encrypted, Path source, String destination, List<String> more)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(program.toRealPath().toString(), "ship"));
    words.addAll(List.of("--agent", "bench", "--state", state().toString()));
    words.addAll(List.of("--compress", "zstd:1"));
    if (encrypted) {
      words.addAll(List.of("--encrypt-to", recipient));
    }
    words.addAll(more);
    words.addAll(List.of(source.toString(), destination));
    return words;
  }

  /** {@code tailwater restore} of the archive below the work directory. */
  public List<String> restore(Path target) throws IOException {
    return List.of(
        program.toRealPath().toString(), "restore", archive().toString(), target.toString());
  }

  /** {@code tailwater ship} to the destinations that are among the further words. */
  public List<String> shipToSeveral(Path source, List<String> more) throws IOException {
    List<String> words = ship(false, source, archive().toString(), more);
    words.removeLast();
    return words;
  }

  /** An agent with all that is its own below a directory, and nothing to ship. */
  public List<String> idleAgent(Path home, List<String> more) throws IOException {
    Path source = Files.createDirectories(home.resolve("source"));
    List<String> words = new ArrayList<>();
    words.addAll(List.of(program.toRealPath().toString(), "ship", "--agent", "bench"));
    words.addAll(List.of("--state", home.resolve("state").toString()));
    words.addAll(more);
    words.addAll(List.of(source.toString(), home.resolve("archive").toString()));
    return words;
  }

  /** The directory of the plug-ins beside the program. */
  public Path plugins() throws IOException {
    return program.toRealPath().resolveSibling("../lib/plugins").normalize();
  }

  /**
   * Waits until the agent, which has its state below the work directory, watches so many files and
   * has delivered all of them.
   */
  public void awaitNothingAtRisk(RunningProgram running, long files, long minutes)
      throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
    while (AgentFigures.ask(state())
        .filter(agent -> agent.files() == files && agent.atRiskBytes() == 0)
        .isEmpty()) {
      running.requireAlive();
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new IOException("not all is delivered: " + AgentFigures.ask(state()));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  public Path state() throws IOException {
    return work().resolve("state");
  }

  public Path archive() throws IOException {
    return work().resolve("archive");
  }

  /** As if the program had never run. */
  public void forgetRuns() throws IOException {
    delete(state());
    delete(archive());
  }

  /** Deletes the directory and everything below it, if it is there. */
  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(directory)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }
}
