package dev.tailwater.delivery;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.checkpoint.AgentState;
import dev.tailwater.delivery.checkpoint.Arrivals;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.delivery.checkpoint.LatestRun;
import dev.tailwater.delivery.checkpoint.SigningKeyFile;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.deliver.FrameShare;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.hang.CallSlots;
import dev.tailwater.delivery.hang.SourceCalls;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.seal.LaneIntake;
import dev.tailwater.delivery.source.OwnDirectories;
import dev.tailwater.delivery.source.SourceFilter;
import dev.tailwater.delivery.source.SourceSet;
import dev.tailwater.delivery.staging.StagingPool;
import dev.tailwater.delivery.staging.StagingQuota;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.OwnerNames;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.time.ArchiveClock;
import dev.tailwater.delivery.time.ArrivalClock;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.watch.FileRegistry;
import dev.tailwater.delivery.watch.ObserverSettings;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.io.watch.NameBound;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What the lanes of an agent have in common. */
final class SharedStages {
  /** The part of the descriptors that is for files that are not in memory. */
  private static final int QUIET_DESCRIPTORS_ONE_IN = 4;

  /**
   * The part of the files in memory that stays though they are quiet: less than any owner's share,
   * so that who has no room can always have quiet files leave.
   */
  private static final int QUIET_ONE_IN = 4;

  /** How soon the watch thread looks at a lone change. */
  static final long MIN_TICK_MILLIS = 5;

  /** How long a change may wait at most for the watch thread, when much is written. */
  private static final long MAX_TICK_MILLIS = 250;

  private static final int TICKS_PER_MAX_AGE = 20;

  private final AgentConfig config;
  private final AgentEnvironment environment;
  private final RetryPolicy retries;
  private final AgentState state;
  private final int laneCount;
  private final Problems problems;
  private final CallSlots callSlots = new CallSlots();
  private final FileCalls sourceCalls;
  private final OwnDirectories ownDirectories;
  private final FileRegistry files;
  private final StagingPool staging;
  private final FrameShare frames;
  private final ObserverSettings observing;
  private final StreamingCopy streamingCopy;
  private final List<LaneIntake> intakes = new ArrayList<>();
  private final Tempo tempo = new Tempo();
  private final Neighbour neighbour;
  private final Predicate<PosixPath> wholeLines;
  private final Optional<ContentKey> contentKey;
  private final Optional<ObjectSigner> signer;
  private final Trust trust;
  private final ArchiveClock archiveClock;
  private final Arrivals arrivals;
  private final long startMillis;
  private final GroupBound groupBound;

  SharedStages(
      AgentConfig config,
      AgentEnvironment machine,
      RetryPolicy retries,
      ProblemListener listener,
      AgentState state,
      int laneCount)
      throws IOException {
    this.config = config;
    this.archiveClock = new ArchiveClock(machine.clocks());
    this.groupBound = new GroupBound(machine.clockMillis());
    AgentEnvironment environment = machine.withWallClock(archiveClock);
    this.environment = environment;
    this.startMillis = archiveClock.getAsLong();
    this.retries = retries;
    this.state = state;
    this.laneCount = laneCount;
    this.problems = new Problems(listener, environment.clockMillis());
    this.arrivals = Arrivals.after(state.notes(), new ArrivalClock(archiveClock), problems);
    this.sourceCalls = SourceCalls.of(environment.calls(), callSlots, problems);
    this.ownDirectories =
        new OwnDirectories(
            environment.calls(), config.scope().ownPlaces(), environment.nanoClock());
    this.files =
        new FileRegistry(config.scope().sources().stream().map(SharedStages::namesOf).toList());
    int mostOpen =
        environment.openFiles().isPresent()
            ? environment.openFiles().getAsInt()
            : OpenFileLimit.forTails();
    // The rest is for quiet files, which are closed first where descriptors are short: a file that
    // is closed before it is compared stays in memory.
    int openInMemory = Math.max(1, mostOpen - mostOpen / QUIET_DESCRIPTORS_ONE_IN);
    int fitInMemory = NameMemoryBudget.files(config, laneCount, Runtime.getRuntime().maxMemory());
    int mostInMemory = Math.min(fitInMemory, openInMemory);
    this.observing =
        new ObserverSettings(
            archivedNames(config.scope().sources()),
            ownerNames(config.scope().sources(), environment),
            config.timing().goneGrace(),
            mostOpen,
            Math.min(config.resources().filesInMemory(), mostInMemory / QUIET_ONE_IN),
            mostInMemory,
            openInMemory < fitInMemory,
            !config.segments().packUse().isNever(),
            NameMemoryBudget.mostNameless(mostInMemory),
            environment.clocks());
    this.wholeLines = wholeLines(config.scope().sources());
    this.contentKey = contentKey(config, environment);
    this.signer =
        signingKey(config, environment)
            .map(key -> new ObjectSigner(key, environment.clockMillis()));
    this.trust = config.segments().signing().trust(environment.calls(), config.stateDirectory());
    this.streamingCopy = StreamingCopy.load();
    this.staging = new StagingPool(config.segments().fullBytes());
    this.frames = StagingShare.frames(config, laneCount);
    this.neighbour =
        new Neighbour(
            config.resources().neighbour(),
            environment.neighbours(),
            environment.nanoClock(),
            tempo);
  }

  /** Files that are archived as those of another machine have owners that this one cannot name. */
  private static OwnerNames ownerNames(List<Source> sources, AgentEnvironment environment) {
    return sources.stream().anyMatch(source -> source.as().isPresent())
        ? OwnerNames.idsOnly()
        : OwnerNames.ofMachine(environment.calls(), environment.nanoClock());
  }

  private static ArchivedNames archivedNames(List<Source> sources) {
    return new ArchivedNames(
        moved(sources).stream()
            .map(moved -> new ArchivedNames.Moved(moved.here(), moved.there()))
            .toList());
  }

  private static List<LatestRun.Moved> moved(List<Source> sources) {
    List<LatestRun.Moved> moved = new ArrayList<>();
    for (Source source : sources) {
      source.as().ifPresent(there -> moved.add(new LatestRun.Moved(source.root(), there)));
    }
    return moved;
  }

  private static Predicate<PosixPath> namesOf(Source source) {
    return new SourceFilter(source.root(), source.include(), source.exclude())::wants;
  }

  /** Returns which files' segments end at the end of a line, by the sources that they belong to. */
  private static Predicate<PosixPath> wholeLines(List<Source> sources) {
    return sources.stream()
        .filter(source -> source.cutAt() == CutAt.NEWLINE)
        .map(SharedStages::namesOf)
        .reduce(_ -> false, Predicate::or);
  }

  private static Optional<ContentKey> contentKey(AgentConfig config, AgentEnvironment environment)
      throws IOException {
    if (config.segments().recipients().isEmpty() || !config.segments().contentCheck().stated()) {
      return Optional.empty();
    }
    if (config.segments().contentCheck().key().isPresent()) {
      return config.segments().contentCheck().key();
    }
    return Optional.of(
        ContentKeyFile.readOrCreate(
            environment.calls(), config.stateDirectory(), environment.random()));
  }

  /** Returns the sources that are archived as if they were elsewhere. */
  List<LatestRun.Moved> movedSources() {
    return moved(config.scope().sources());
  }

  /** Returns the files to be watched. */
  SourceSet sources() {
    return new SourceSet(
        config.scope().sources().stream()
            .map(s -> new SourceFilter(s.root(), s.include(), s.exclude()))
            .toList(),
        config.scope().ownPlaces());
  }

  /** Returns the agent's own directories, which are left out wherever they are mounted. */
  OwnDirectories ownDirectories() {
    return ownDirectories;
  }

  private static Optional<SigningKey> signingKey(AgentConfig config, AgentEnvironment environment)
      throws IOException {
    Signing signing = config.segments().signing();
    if (!signing.on() || signing.key().isPresent()) {
      return signing.key();
    }
    return Optional.of(
        SigningKeyFile.readOrCreate(
            environment.calls(), config.stateDirectory(), environment.random()));
  }

  /** Returns whose signatures count in what the archive says of this agent. */
  Trust trust() {
    return trust;
  }

  AgentConfig config() {
    return config;
  }

  /** Returns how much memory the names of files may take. */
  NameBound names() {
    return NameMemoryBudget.bound(config, laneCount, Runtime.getRuntime().maxMemory());
  }

  /** Tells by a file's name whether its segments end at the end of a line. */
  Predicate<PosixPath> wholeLines() {
    return wholeLines;
  }

  AgentEnvironment environment() {
    return environment;
  }

  Clocks clocks() {
    return environment.clocks();
  }

  RetryPolicy retries() {
    return retries;
  }

  AgentState state() {
    return state;
  }

  int laneCount() {
    return laneCount;
  }

  Problems problems() {
    return problems;
  }

  FileRegistry files() {
    return files;
  }

  /** Returns the calls for files below sources, which may hang. */
  FileCalls sourceCalls() {
    return sourceCalls;
  }

  /** Returns which of these calls each thread is in. */
  CallSlots callSlots() {
    return callSlots;
  }

  /** Returns how many staging buffers one destination may hold. */
  StagingQuota stagingQuota() {
    return StagingShare.of(staging, laneCount);
  }

  FrameShare frames() {
    return frames;
  }

  ObserverSettings observing() {
    return observing;
  }

  SegmentSealer sealer() {
    return new SegmentSealer(
        config.segments().codec(),
        config.segments().recipients(),
        contentKey,
        environment.random(),
        streamingCopy,
        signer);
  }

  /** Returns how packs are compressed, which are never gzip. */
  Codec packCodec() {
    return config.segments().codec() instanceof Codec.Gzip
        ? new Codec.Zstd(1)
        : config.segments().codec();
  }

  /**
   * Returns whether bytes that were replaced may be delivered, in packs: the agent must be able to
   * read these after a crash.
   */
  boolean mayRevise() {
    return config.segments().recipients().isEmpty() || contentKey.isPresent();
  }

  PackSealer packSealer() {
    return new PackSealer(
        packCodec(), config.segments().recipients(), contentKey, environment.random(), signer);
  }

  /** Returns a sealer of packs that tell directories: no agent reads them again, with any key. */
  PackSealer treeSealer() {
    return new PackSealer(
        packCodec(),
        config.segments().recipients(),
        Optional.empty(),
        environment.random(),
        signer);
  }

  SegmentComposer composer() {
    return new SegmentComposer(
        config.segments().codec(),
        config.segments().recipients(),
        contentKey,
        environment.random(),
        signer);
  }

  /** Returns what signs everything that is delivered; empty if nothing is signed. */
  Optional<ObjectSigner> signer() {
    return signer;
  }

  /** Returns the key of the checks that encrypted segments state; empty if they state none. */
  Optional<ContentKey> contentKey() {
    return contentKey;
  }

  /**
   * Returns the key under which encrypted packs of earlier runs can be read, even if nothing is
   * encrypted any more; empty if there is none.
   */
  Optional<ContentKey> keyOfEarlierPacks() {
    return contentKey.or(
        () ->
            config
                .segments()
                .contentCheck()
                .keyOfEarlierPacks(environment.calls(), config.stateDirectory()));
  }

  /** Returns how long a change may wait for the watch thread. */
  long maxTickMillis() {
    return Math.clamp(
        config.limits().maxAge().toMillis() / TICKS_PER_MAX_AGE, MIN_TICK_MILLIS, MAX_TICK_MILLIS);
  }

  /** Returns the intakes of all lanes, to which each lane adds its own when it is made. */
  List<LaneIntake> intakes() {
    return intakes;
  }

  Tempo tempo() {
    return tempo;
  }

  Neighbour neighbour() {
    return neighbour;
  }

  /** Returns the wall clock of all stages. */
  ArchiveClock archiveClock() {
    return archiveClock;
  }

  /** When all began, the same for each destination. */
  long startMillis() {
    return startMillis;
  }

  /** Returns what numbers arrivals, which may be ahead of the clock. */
  Arrivals arrivals() {
    return arrivals;
  }

  /** Returns which groups may be those of earlier runs. */
  GroupBound groupBound() {
    return groupBound;
  }
}
