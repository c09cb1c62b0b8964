package dev.tailwater.cli;

import dev.tailwater.cli.host.Signals;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationTraining;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Runs the common commands once, so that the AOT cache made meanwhile (JEP 514) holds the classes
 * that they load. Started by the scripts that make the cache; an argument names a plug-in on the
 * class path, for a cache of both. Works in a temporary directory, which it removes.
 */
final class Training {
  private static final int PATIENCE_SECONDS = 60;

  /** So many files fit one pack. */
  private static final int MANY = 200;

  /**
   * The limit for the whole training: a user may be waiting, and the program runs without a cache
   * too.
   */
  private static final int LIMIT_SECONDS = 300;

  private Training() {}

  /**
   * Trains, and ends the process in any case: a script waits for it, and a thread may be left
   * behind.
   */
  public static void main(String[] args) {
    Thread.ofPlatform().name("limit").daemon(true).start(Training::endAtLimit);
    int exitCode = 1;
    try {
      trainInTemporaryDirectory(args.length > 0 ? args[0] : "");
      exitCode = 0;
    } catch (Exception | Error e) {
      e.printStackTrace(System.err); // For the log of the build, or of the first start.
    } finally {
      System.exit(exitCode);
    }
  }

  private static void endAtLimit() {
    try {
      Thread.sleep(Duration.ofSeconds(LIMIT_SECONDS));
      System.err.println("training has not ended within " + LIMIT_SECONDS + " s");
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void trainInTemporaryDirectory(String plugin) throws Exception {
    Path directory = Files.createTempDirectory("tailwater-training-");
    try {
      train(directory, plugin);
    } finally {
      try (Stream<Path> paths = Files.walk(directory)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static void train(Path directory, String plugin) throws Exception {
    // Messages go to the log of the build, which is shown on failure.
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Program program =
        new Program(new Surroundings(silent, System.err, Map.of(), directory, OptionalInt.empty()));
    Path logs = Files.createDirectory(directory.resolve("logs"));
    for (String name : List.of("a.log", "b.log")) {
      Files.writeString(logs.resolve(name), "a line of a log\n".repeat(100_000));
    }
    Path many = Files.createDirectory(directory.resolve("many"));
    for (int i = 0; i < MANY; i++) {
      Files.writeString(many.resolve("f" + i), "a line of a short file\n");
    }
    Files.writeString(directory.resolve("t.yaml"), "sources: logs\ndestination: archive\n");
    for (String arguments :
        List.of(
            "--version",
            "--help",
            "check t.yaml",
            "ship --once --agent t --state state --encrypt-to "
                + publicKey(program, directory)
                + " logs archive",
            "ls archive --json",
            "ls archive",
            "verify archive --identity key.txt",
            "restore archive restored --identity key.txt",
            "ship --once --agent m --state state.m --packs on many packed",
            "ls packed",
            "verify packed",
            "cat packed " + many.resolve("f0"),
            "restore packed unpacked",
            "status --state state.m",
            "status --state state.m --json",
            "store stats state")) {
      run(program, arguments);
    }
    if (plugin.isEmpty()) {
      followARotation(program, directory);
    } else {
      trainPlugin(program, plugin);
    }
  }

  /** Delivers to what the plug-in on the class path offers for this, and restores from there. */
  private static void trainPlugin(Program program, String plugin) throws Exception {
    DestinationTraining training =
        ServiceLoader.load(DestinationTraining.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.scheme().equals(plugin))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no training for " + plugin));
    try (DestinationTraining.Place place = training.begin()) {
      String uri = place.uri();
      if (!place.serves()) {
        callOnce(uri);
        return;
      }
      for (List<String> arguments :
          List.of(
              List.of("ship", "--once", "--agent", "p", "--state", "state.p", "logs", uri),
              List.of("ls", uri),
              List.of("verify", uri),
              List.of("restore", uri, "restored.p"))) {
        run(program, arguments);
      }
    }
  }

  private static void run(Program program, String arguments) {
    run(program, List.of(arguments.split(" ")));
  }

  private static void run(Program program, List<String> arguments) {
    int exitCode = program.run(arguments.toArray(String[]::new));
    if (exitCode != 0) {
      throw new IllegalStateException(
          "'" + String.join(" ", arguments) + "' ended with " + exitCode);
    }
  }

  /**
   * Calls a place where nobody answers; a command would retry for a minute and load little more.
   */
  private static void callOnce(String uri) throws DestinationException {
    DestinationContext context =
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new SecureRandom());
    try (Destination destination = Destinations.open(uri, OpenIntent.WRITE, context)) {
      destination.putSegment("training", ByteBuffer.allocate(1));
    } catch (TransientDestinationException e) {
      // Most of the client was loaded until it found that out.
    }
  }

  /** Runs an agent while files appear, grow, are renamed and deleted, and stops it. */
  private static void followARotation(Program program, Path directory)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Path logs = Files.createDirectory(directory.resolve("rotated"));
    Path archive = directory.resolve("followed");
    CompletableFuture<Integer> agent =
        CompletableFuture.supplyAsync(
            () ->
                program.run(
                    "ship --agent t --state following --max-age 100ms --notices off rotated followed"
                        .split(" ")),
            task -> Thread.ofPlatform().name("agent").daemon(true).start(task));
    await(agent, () -> Files.exists(directory.resolve("following/agent.sock")));
    for (int rotation = 1; rotation <= 3; rotation++) {
      int segments = segments(archive);
      Files.writeString(logs.resolve("a.log"), "the first line\n");
      await(agent, () -> segments(archive) > segments);
      Files.writeString(
          logs.resolve("a.log"), "the next line\n".repeat(1_000), StandardOpenOption.APPEND);
      await(agent, () -> segments(archive) > segments + 1);
      Files.move(
          logs.resolve("a.log"), logs.resolve("a.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.delete(logs.resolve("a.log.1"));
    for (String arguments : List.of("status --state following", "drain --state following")) {
      run(program, arguments);
    }
    Signals.raise("TERM");
    int exitCode = agent.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (exitCode != 0) {
      throw new IllegalStateException("the agent ended with " + exitCode);
    }
  }

  private static int segments(Path archive) {
    if (!Files.exists(archive)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(archive)) {
      return (int) files.filter(file -> file.toString().endsWith(".zst")).count();
    } catch (IOException | UncheckedIOException e) {
      return 0; // A directory that came or went meanwhile; whoever waits looks again.
    }
  }

  private static void await(CompletableFuture<Integer> agent, BooleanSupplier condition)
      throws InterruptedException {
    long giveUpNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (agent.isDone() || System.nanoTime() > giveUpNanos) {
        throw new IllegalStateException("the agent did not do what it was waited for");
      }
      Thread.sleep(5);
    }
  }

  /** Makes a key pair in key.txt and returns the public key. */
  private static String publicKey(Program program, Path directory) throws IOException {
    program.run("keygen", "-o", "key.txt");
    String label = "# public key: ";
    return Files.readAllLines(directory.resolve("key.txt")).stream()
        .filter(line -> line.startsWith(label))
        .map(line -> line.substring(label.length()))
        .findFirst()
        .orElseThrow();
  }
}
