package dev.tailwater.delivery;

import dev.tailwater.archive.Codec;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.DescriptorGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** An agent on a directory of its own: sources in {@code logs}, archive in {@code archive}. */
public final class TestAgent implements AutoCloseable {
  static final String NAME = "test-agent";
  public static final FileCalls REAL_CALLS = LinuxFileCalls.create();

  final Agent agent;
  private final DescriptorGuard descriptors;
  final List<Problem> problems = new CopyOnWriteArrayList<>();
  final List<Problem> ended = new CopyOnWriteArrayList<>();

  /** The directories of a test. */
  record Place(Path base) {
    Place {
      try {
        Files.createDirectories(base.resolve("logs"));
        Files.createDirectories(base.resolve("archive"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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

    Path state() {
      return base.resolve("state");
    }

    /** Copies the files of the state, as they are now, into an empty directory. */
    void copyState(Path to) throws IOException {
      copy(state(), to);
    }

    /** Puts an earlier {@linkplain #copyState copy} in the place of the state. */
    void restoreState(Path copy) throws IOException {
      Path later = Files.createTempDirectory(base, "later-state");
      Files.move(state(), later.resolve("state"));
      copy(copy, state());
    }

    static void copy(Path from, Path to) throws IOException {
      Files.createDirectories(to);
      try (Stream<Path> all = Files.walk(from)) {
        for (Path one : all.filter(path -> !path.equals(from)).toList()) {
          Path copy = to.resolve(from.relativize(one));
          if (Files.isDirectory(one)) {
            Files.createDirectories(copy);
          } else if (Files.isRegularFile(one)) {
            Files.copy(one, copy);
          }
        }
      }
    }

    Destination openArchive(FileCalls calls, OpenIntent intent) throws IOException {
      return openArchive("archive", calls, intent);
    }

    Destination openArchive(String name, FileCalls calls, OpenIntent intent) throws IOException {
      return Destinations.open(
          base.resolve(name).toString(),
          intent,
          new DestinationContext(calls, InstantSource.system(), new SecureRandom()));
    }

    ArchiveContents contents() throws IOException {
      return contents("archive");
    }

    ArchiveContents contents(String name) throws IOException {
      try (Destination archive = openArchive(name, REAL_CALLS, OpenIntent.READ)) {
        return ArchiveContents.load(archive, List.of());
      }
    }

    AgentConfig config() {
      return AgentConfig.builder(
              NAME,
              List.of(new Source(PosixPath.of(logs()), List.of(), List.of())),
              PosixPath.of(state()))
          .segmentBytes(1 << 20)
          .parallelDeliveries(2)
          .reconcile(Duration.ofSeconds(2))
          .maxAge(Duration.ofMillis(30))
          .goneGrace(Duration.ofMillis(100))
          .build();
    }
  }

  private TestAgent(
      AgentConfig config,
      List<AgentDestination> destinations,
      RetryPolicy retries,
      AgentEnvironment environment)
      throws IOException {
    this.descriptors = DescriptorGuard.wrap(environment.calls());
    this.agent =
        Agent.start(
            withPacks(withFilesInMemory(config)),
            destinations,
            retries,
            new AgentEnvironment(
                descriptors.calls(),
                environment.clockMillis(),
                environment.nanoClock(),
                environment.random(),
                environment.neighbours(),
                environment.threads(),
                environment.openFiles()),
            new ProblemListener() {
              @Override
              public void began(Problem problem) {
                problems.add(problem);
              }

              @Override
              public void ended(Problem problem) {
                ended.add(problem);
              }
            });
  }

  /** Returns the configuration with {@code -Dtailwater.filesInMemory}, if that is given. */
  private static AgentConfig withFilesInMemory(AgentConfig config) {
    Integer files = Integer.getInteger("tailwater.filesInMemory");
    return files == null ? config : config.toBuilder().filesInMemory(files).build();
  }

  /** Returns the configuration with packs, if {@code -Dtailwater.packs=true} and it allows them. */
  private static AgentConfig withPacks(AgentConfig config) {
    AgentConfig.Segments segments = config.segments();
    boolean possible =
        !(segments.codec() instanceof Codec.Gzip)
            && segments.mergeToBytes().orElse(0) == 0 // Else the test is about merging segments.
            && (segments.recipients().isEmpty() || segments.contentCheck().stated());
    return withPacks() && possible ? config.toBuilder().packs(PackUse.ALWAYS).build() : config;
  }

  /** Returns whether agents that do not say anything else make packs. */
  static boolean withPacks() {
    return Boolean.getBoolean("tailwater.packs");
  }

  /** Returns an environment with {@code -Dtailwater.openFiles}, if that is given. */
  private static AgentEnvironment environment(FileCalls calls) {
    AgentEnvironment environment =
        new AgentEnvironment(
            calls, System::currentTimeMillis, System::nanoTime, new SecureRandom());
    Integer openFiles = Integer.getInteger("tailwater.openFiles");
    return openFiles == null ? environment : environment.withOpenFiles(openFiles);
  }

  static TestAgent start(Place place) throws IOException {
    return start(place, place.config(), REAL_CALLS);
  }

  static TestAgent start(Place place, AgentConfig config, FileCalls calls) throws IOException {
    return start(config, place.openArchive(calls, OpenIntent.WRITE), calls);
  }

  public static TestAgent start(AgentConfig config, Destination destination, FileCalls calls)
      throws IOException {
    return start(config, List.of(AgentDestination.only(destination)), calls);
  }

  static TestAgent start(AgentConfig config, List<AgentDestination> destinations, FileCalls calls)
      throws IOException {
    return new TestAgent(config, destinations, RetryPolicy.forever(), environment(calls));
  }

  /** Starts an agent that may have so many watched files open at once. */
  public static TestAgent start(
      AgentConfig config, Destination destination, FileCalls calls, int openFiles)
      throws IOException {
    return start(config, destination, RetryPolicy.forever(), calls, openFiles);
  }

  /** The same, with another retry policy. */
  static TestAgent start(
      AgentConfig config,
      Destination destination,
      RetryPolicy retries,
      FileCalls calls,
      int openFiles)
      throws IOException {
    return new TestAgent(
        config,
        List.of(AgentDestination.only(destination)),
        retries,
        environment(calls).withOpenFiles(openFiles));
  }

  /** Starts an agent with another retry policy. */
  static TestAgent start(AgentConfig config, Destination destination, RetryPolicy retries)
      throws IOException {
    return new TestAgent(
        config, List.of(AgentDestination.only(destination)), retries, environment(REAL_CALLS));
  }

  /** Starts an agent with a monotonic clock of the test's. */
  static TestAgent start(
      AgentConfig config, Destination destination, FileCalls calls, LongSupplier nanoClock)
      throws IOException {
    return new TestAgent(
        config,
        List.of(AgentDestination.only(destination)),
        RetryPolicy.forever(),
        new AgentEnvironment(calls, System::currentTimeMillis, nanoClock, new SecureRandom()));
  }

  /** Starts an agent with a wall clock of the test's. */
  public static TestAgent startAt(
      AgentConfig config, Destination destination, LongSupplier clockMillis) throws IOException {
    return startAt(config, List.of(AgentDestination.only(destination)), clockMillis);
  }

  /** Starts an agent for these destinations, with a wall clock of the test's. */
  static TestAgent startAt(
      AgentConfig config, List<AgentDestination> destinations, LongSupplier clockMillis)
      throws IOException {
    return new TestAgent(
        config,
        destinations,
        RetryPolicy.forever(),
        new AgentEnvironment(REAL_CALLS, clockMillis, System::nanoTime, new SecureRandom()));
  }

  /** Starts an agent with file calls and a wall clock of the test's. */
  static TestAgent startAt(
      AgentConfig config, Destination destination, FileCalls calls, LongSupplier clockMillis)
      throws IOException {
    return new TestAgent(
        config,
        List.of(AgentDestination.only(destination)),
        RetryPolicy.forever(),
        new AgentEnvironment(calls, clockMillis, System::nanoTime, new SecureRandom()));
  }

  /** Starts an agent whose threads the test makes. */
  static TestAgent start(
      AgentConfig config, List<AgentDestination> destinations, FileCalls calls, ThreadMaker threads)
      throws IOException {
    AgentEnvironment usual = environment(calls);
    return new TestAgent(
        config,
        destinations,
        RetryPolicy.forever(),
        new AgentEnvironment(
            usual.calls(),
            usual.clockMillis(),
            usual.nanoClock(),
            usual.random(),
            usual.neighbours(),
            threads,
            usual.openFiles()));
  }

  /** Starts an agent with another source of random numbers. */
  static TestAgent start(AgentConfig config, Destination destination, SecureRandom random)
      throws IOException {
    return new TestAgent(
        config,
        List.of(AgentDestination.only(destination)),
        RetryPolicy.forever(),
        new AgentEnvironment(REAL_CALLS, System::currentTimeMillis, System::nanoTime, random));
  }

  static TestAgent startOnce(AgentConfig config, Destination destination) throws IOException {
    return startOnce(config, List.of(AgentDestination.only(destination)));
  }

  static TestAgent startOnce(AgentConfig config, List<AgentDestination> destinations)
      throws IOException {
    return new TestAgent(
        config, destinations, RetryPolicy.until(Duration.ofMillis(500)), environment(REAL_CALLS));
  }

  /** Returns whether the state has all that it was to be told. */
  public boolean isStateSaved() {
    return agent.isStateSaved();
  }

  /** Returns the agent itself. */
  public Agent agent() {
    return agent;
  }

  /** Delivers what is there, and waits until nothing is left. */
  public DrainReport drain() throws InterruptedException {
    return agent.drain(Optional.of(Duration.ofMinutes(2)));
  }

  /** Waits until the agent reports that the file is delivered to its end. */
  public void awaitDelivered(Path file) throws Exception {
    await(file + " is delivered", () -> agent.status(PosixPath.of(file)).isDelivered());
  }

  /** Returns the status of one of several destinations. */
  StatusReport.AtDestination at(String name) {
    return agent.status().destinations().stream()
        .filter(destination -> destination.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Waits until one of several destinations has the file to its end. */
  void awaitDelivered(Path file, String destination) throws Exception {
    await(
        file + " is delivered to " + destination,
        () -> {
          FileDelivery delivery = agent.status(PosixPath.of(file));
          long sizeBytes = Files.size(file);
          return delivery.destinations().stream()
              .anyMatch(
                  at ->
                      at.name().equals(destination)
                          && delivery.stream().isPresent()
                          && at.durableBytes() == sizeBytes);
        });
  }

  /** Waits until the agent has the file open. */
  void awaitSeen(Path file) throws Exception {
    await(file + " is seen", () -> agent.status(PosixPath.of(file)).stream().isPresent());
  }

  /** A condition that a test waits for. */
  public interface Condition {
    boolean holds() throws Exception;
  }

  public static void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited two minutes in vain: " + what);
      }
      Thread.sleep(5);
    }
  }

  /** Returns what the agent has open, and how it has used its descriptors. */
  DescriptorGuard descriptors() {
    return descriptors;
  }

  @Override
  public void close() throws IOException {
    agent.close();
    descriptors.verify();
  }
}
