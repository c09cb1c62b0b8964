package dev.tailwater.it.conservation;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.StateTrouble;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.compact.CompactOptions;
import dev.tailwater.restore.compact.CompactReport;
import dev.tailwater.restore.compact.Compactor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** One agent after the other on the same sources, state and archive; some are killed. */
final class AgentLives {
  private static final String NAME = "conservation";
  private static final int STALL_MILLIS = 15;
  private static final SigningKey OWN = SigningKey.generate(new SecureRandom());
  private static final SigningKey COMPACTOR = SigningKey.generate(new SecureRandom());

  /**
   * {@code trusting}: agents without state believe what they and the compactor have signed; {@code
   * untrusting}: only what they have signed themselves; otherwise everything.
   */
  private static final String SIGNED = System.getProperty("tailwater.signed", "");

  /** So little that short segments are merged all the time. */
  static final int MERGE_TO_BYTES = 64 << 10;

  private final Path base;
  private final List<Path> roots;
  private final Protection protection;
  private final Optional<StateDisk> disk;
  private final AtomicBoolean stalled = new AtomicBoolean();
  private final StateTrouble stateTrouble;
  private boolean stateWasLost;
  private Optional<KeptState> kept = Optional.empty();
  private Optional<Life> life = Optional.empty();
  private int lives;
  private long gatheredSegments;

  /** An earlier state, and the last group that the destination had packs of then. */
  private record KeptState(Path copy, String lastGroup) {}

  private record Life(TestAgent agent, FaultyFileCalls calls, int openFiles) {}

  /**
   * How many files an agent may have open.
   *
   * @param watched so many that it watches
   * @param all so many of any kind, as by ulimit(1)
   */
  record Descriptors(int watched, int all) {
    static final Descriptors MANY = new Descriptors(10_000, Integer.MAX_VALUE);

    /** Fewer than there are files at most times: quiet ones are closed. */
    static final Descriptors FEW_WATCHED = new Descriptors(24, Integer.MAX_VALUE);

    /** What an agent makes of a low limit, of which the JVM has its part already. */
    static Descriptors limited(int all) {
      return new Descriptors(Math.max(all - 128, all / 4), all);
    }
  }

  /**
   * How one agent is set up.
   *
   * @param filesInMemory how many quiet files stay in memory
   * @param mergeToBytes the longest segment that merging makes, and that packs are gathered into
   */
  record Variation(
      int workers,
      int parallelDeliveries,
      Codec codec,
      CutAt cutAt,
      PackUse packs,
      RevisionRetention keepRevisions,
      Duration goneGrace,
      int filesInMemory,
      Descriptors descriptors,
      int mergeToBytes) {}

  /**
   * Creates the lives of agents that there will be.
   *
   * @param disk has the state, which is beside the archive otherwise
   */
  AgentLives(Path base, List<Path> roots, Protection protection, Optional<StateDisk> disk) {
    this.base = base;
    this.protection = protection;
    this.roots = List.copyOf(roots);
    this.disk = disk;
    this.stateTrouble = new StateTrouble(state());
  }

  static String agentName() {
    return NAME;
  }

  /** Whether what the agents deliver is encrypted. */
  Protection protection() {
    return protection;
  }

  /** Whether an agent that lost its state begins a new stream of files that were delivered. */
  boolean beginsAnew() {
    return protection.beginsAnew() || SIGNED.equals("untrusting");
  }

  boolean isAlive() {
    return life.isPresent();
  }

  /** Whether the agent closes files that are quiet, and so may miss what is done to them last. */
  boolean closesFiles() {
    return life.filter(now -> now.openFiles() < Descriptors.MANY.watched()).isPresent();
  }

  /** How many agents there have been. */
  int lives() {
    return lives;
  }

  /** How many long segments these agents have made of what was in packs. */
  long gatheredSegments() {
    return gatheredSegments;
  }

  private void count(TestAgent agent) {
    gatheredSegments +=
        agent.agent().status().destinations().stream()
            .mapToLong(at -> at.merged().gatheredSegments())
            .sum();
  }

  /** The agent that lives now. */
  TestAgent agent() {
    return life.orElseThrow().agent();
  }

  void start(Variation variation) throws Exception {
    FaultyFileCalls calls =
        FaultyFileCalls.wrap(
                TestAgent.REAL_CALLS,
                stateTrouble.or(FaultPlan.when(_ -> stalled.get(), new Fault.Delay(STALL_MILLIS))))
            .limitDescriptors(variation.descriptors().all());
    int openFiles = variation.descriptors().watched();
    Destination archive = openArchive(calls.calls(), OpenIntent.WRITE);
    TestAgent agent;
    try {
      agent = TestAgent.start(config(variation), archive, calls.calls(), openFiles);
    } catch (IOException e) {
      archive.close();
      requireClosed(calls);
      throw e;
    }
    life = Optional.of(new Life(agent, calls, openFiles));
    lives++;
    agent.agent().awaitFirstScan();
  }

  /**
   * Starts an agent that must not write to its state. It may end at once, and then it must say why
   * and leave nothing open; one that runs must deliver.
   *
   * @return why it does not run
   */
  Optional<String> startOnFullState(Variation variation, StateDisk.Lack lack) throws Exception {
    fillState(lack);
    try {
      start(variation);
      return Optional.empty();
    } catch (IOException e) {
      if (!isOfFullDisk(e)) {
        throw e;
      }
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isOfFullDisk(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(cause -> cause instanceof ErrnoException e && e.errno() == Errno.ENOSPC);
  }

  /** From now on there is no room for the state; without a disk of its own, as in a test. */
  void fillState(StateDisk.Lack lack) throws IOException {
    if (disk.isPresent()) {
      disk.get().fill(lack);
    } else {
      stateTrouble.set(StateTrouble.Kind.FULL);
    }
  }

  /** Nothing befalls the state any more. */
  private void healState() throws IOException {
    stateTrouble.set(StateTrouble.Kind.NONE);
    if (disk.isPresent()) {
      disk.get().free();
    }
  }

  private AgentConfig config(Variation variation) {
    return AgentConfig.builder(
            NAME,
            roots.stream()
                .map(root -> new Source(PosixPath.of(root), List.of(), List.of()))
                .map(source -> source.cutAt(variation.cutAt()))
                .toList(),
            PosixPath.of(state()))
        .codec(variation.codec())
        .recipients(protection.recipients())
        .contentCheck(protection.contentCheck())
        .signing(signing())
        .packs(variation.packs())
        .keepRevisions(variation.keepRevisions())
        .directories(true)
        .foreignHardLinks(true) // Directories become writable for everybody.
        .maxAge(Duration.ofMillis(30))
        .segmentBytes(1 << 20)
        .workers(variation.workers())
        .parallelDeliveries(variation.parallelDeliveries())
        .mergeToBytes(OptionalLong.of(variation.mergeToBytes()))
        .reconcile(Duration.ofSeconds(2))
        .goneGrace(variation.goneGrace())
        .filesInMemory(variation.filesInMemory())
        .build();
  }

  private static Signing signing() {
    return switch (SIGNED) {
      case "trusting" ->
          Signing.with(OWN)
              .trusting(Trust.parseAny("keys", "compactor c " + COMPACTOR.publicKey().text()));
      case "untrusting" -> Signing.with(OWN);
      default -> Signing.OFF;
    };
  }

  private static Optional<ObjectSigner> compactorSigner() {
    return SIGNED.isEmpty()
        ? Optional.empty()
        : Optional.of(new ObjectSigner(COMPACTOR, System::currentTimeMillis));
  }

  Destination openArchive(FileCalls calls, OpenIntent intent) throws IOException {
    return Destinations.open(
        base.resolve("archive").toString(),
        intent,
        new DestinationContext(calls, InstantSource.system(), new SecureRandom()));
  }

  /** Restores what the archive has, into a directory of its own for each life. */
  RestoredTree restore() throws IOException {
    try (Destination archive = openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return RestoredTree.restore(
          archive, base.resolve("restored-after-" + lives), protection.reading());
    }
  }

  /** Merges and joins packs, while no agent is alive that could add one. */
  void compact(RevisionRetention retention) throws IOException {
    try (Destination archive = openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      CompactOptions options =
          new CompactOptions(
              Optional.empty(),
              Long.MAX_VALUE,
              new Codec.Zstd(3),
              protection.recipients(),
              compactorSigner(),
              retention.replacedByMillis(System.currentTimeMillis()),
              false,
              protection.reading());
      CompactReport report =
          new Compactor(archive, options, RestoreProgress.none(), InstantSource.system()).compact();
      if (!report.damages().isEmpty()) {
        throw new AssertionError("packs cannot be compacted: " + report.damages());
      }
    }
  }

  private Path state() {
    return disk.map(StateDisk::state).orElse(base.resolve("state"));
  }

  /** From now on, every call that the agent makes takes its time, or none does. */
  void stall(boolean slow) {
    stalled.set(slow);
  }

  /** From now on, that befalls the writes to the agent's state, and nothing else. */
  void trouble(StateTrouble.Kind kind) throws IOException {
    healState();
    stateTrouble.set(kind);
  }

  /** What could not be saved is saved. */
  void awaitSaved() throws Exception {
    healState();
    TestAgent.await("the state is saved", agent()::isStateSaved);
  }

  /** The process is gone between two instructions. */
  void kill() throws IOException {
    Life dying = life.orElseThrow();
    life = Optional.empty();
    count(dying.agent());
    dying.calls().kill();
    try {
      dying.agent().close(); // Ends the threads; nothing that they do has any effect.
    } catch (CrashError | IOException | RuntimeException e) {
      if (!dying.calls().crashed()) {
        throw e;
      }
    }
    stall(false);
  }

  /**
   * Delivers everything and stops, as at SIGTERM. An agent that gets no processor may come too late
   * for a name that was gone at once, and must then say so: nothing else may be missing.
   *
   * @param lost the names that this agent may not have seen before they were gone
   * @return those that it says it has missed, for certain or perhaps
   */
  Set<PosixPath> drainAndStop(Set<PosixPath> lost) throws Exception {
    stall(false);
    healState();
    Life ending = life.orElseThrow();
    Set<PosixPath> missedNames;
    life = Optional.empty();
    try (TestAgent agent = ending.agent()) {
      DrainReport report = agent.drain();
      // What is merged and not removed yet is there twice.
      agent.agent().finishMerging(Duration.ofMinutes(1));
      count(agent);
      boolean onlyMissed =
          report.problems().stream()
              .map(Problem::subject)
              .allMatch(List.of("missed files", "untrusted objects")::contains);
      boolean nothingElse = report.leftBehind().isEmpty() && report.losses().changedFiles() == 0;
      if (!onlyMissed || !nothingElse) {
        throw new AssertionError("the drain was not complete: " + report);
      }
      missedNames = new HashSet<>(report.losses().missed());
      missedNames.addAll(report.losses().perhapsMissed());
      for (PosixPath missed : report.losses().missed()) {
        if (!lost.contains(missed)) {
          throw new AssertionError(missed + " was not missed: " + report);
        }
      }
    }
    requireClosed(ending.calls());
    return missedNames;
  }

  private static void requireClosed(FaultyFileCalls calls) {
    List<Integer> open = calls.openDescriptors();
    if (!open.isEmpty()) {
      throw new AssertionError(
          "the agent left descriptors open: " + open.stream().map(AgentLives::describe).toList());
    }
  }

  private static String describe(int fd) {
    Path link = Path.of("/proc/self/fd/" + fd);
    try {
      return fd + " of " + Files.readSymbolicLink(link);
    } catch (IOException closed) {
      return fd + ", which is closed by now";
    }
  }

  /** Nothing of this test stays behind. */
  void abandon() throws IOException {
    if (life.isPresent()) {
      kill();
    }
  }

  /** What the agent says of a file; empty when no agent lives. */
  Optional<FileDelivery> status(Path file) throws IOException {
    return life.isPresent()
        ? Optional.of(agent().agent().status(PosixPath.of(file)))
        : Optional.empty();
  }

  void awaitDelivered(Path file) throws Exception {
    stall(false);
    agent().awaitDelivered(file);
  }

  /** Whether an agent began without what the one before it knew of ends. */
  boolean stateWasLost() {
    return stateWasLost;
  }

  void loseState() throws IOException {
    healState();
    if (Files.exists(state())) {
      stateWasLost = true;
      removeState();
    }
  }

  private void removeState() throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(state())) {
      paths = walk.toList();
    }
    for (Path path : paths.reversed()) {
      Files.delete(path);
    }
  }

  /** Keeps a copy of the state, while no agent is alive. */
  void keepState() throws IOException {
    if (Files.exists(state())) {
      Path copy = base.resolve("state-after-" + lives);
      copy(state(), copy);
      kept = Optional.of(new KeptState(copy, lastGroup()));
    }
  }

  /**
   * Puts the state back that was kept, if packs at the destination tell that it is older than they.
   *
   * @return whether that was done
   */
  boolean setStateBack() throws IOException {
    if (kept.isEmpty() || lastGroup().compareTo(kept.get().lastGroup()) <= 0) {
      return false;
    }
    healState();
    stateWasLost = true;
    if (Files.exists(state())) {
      removeState();
    }
    copy(kept.get().copy(), state());
    return true;
  }

  /** The last group that the destination has packs of; empty where it has none. */
  private String lastGroup() throws IOException {
    Path packs = base.resolve("archive").resolve(NAME).resolve("~packs");
    if (!Files.exists(packs)) {
      return "";
    }
    try (Stream<Path> groups = Files.list(packs)) {
      return groups
          .filter(group -> isFull(group))
          .map(group -> String.valueOf(group.getFileName()))
          .max(Comparator.naturalOrder())
          .orElse("");
    }
  }

  private static boolean isFull(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one :
          all.filter(path -> !Files.exists(to.resolve(from.relativize(path)))).toList()) {
        if (Files.isDirectory(one) || Files.isRegularFile(one)) {
          Files.copy(one, to.resolve(from.relativize(one)));
        }
      }
    }
  }
}
