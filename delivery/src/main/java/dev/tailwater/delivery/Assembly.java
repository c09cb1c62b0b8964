package dev.tailwater.delivery;

import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.checkpoint.LatestRun;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.seal.StagingPool;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.watch.FileRegistry;
import dev.tailwater.delivery.watch.ObserverSettings;
import dev.tailwater.delivery.watch.SourceFilter;
import dev.tailwater.delivery.watch.SourceSet;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts an agent's stages together and finds out where the last run ended. Used once. */
final class Assembly {
  /** A lone change may wait so long for the watch thread to look. */
  private static final long MIN_TICK_MILLIS = 5;

  /** When much is written, a change may wait for a part of its maximum age, but not longer. */
  private static final long MAX_TICK_MILLIS = 250;

  private static final int TICKS_PER_MAX_AGE = 20;

  private final AgentConfig config;
  private final List<AgentDestination> destinations;
  private final AgentEnvironment environment;
  private final KeyValueStore store;
  private final Problems problems;
  private final FileRegistry files = new FileRegistry();
  private final ObserverSettings observing;
  private final Lane.Shared shared;

  Assembly(
      AgentConfig config,
      List<AgentDestination> destinations,
      RetryPolicy retries,
      AgentEnvironment environment,
      ProblemListener listener,
      KeyValueStore store)
      throws IOException {
    this.config = config;
    this.destinations = destinations;
    this.environment = environment;
    this.store = store;
    this.problems = new Problems(listener, environment.clockMillis());
    this.observing =
        new ObserverSettings(
            config.agent(),
            archivedNames(config.sources()),
            config.goneGrace(),
            OpenFileLimit.forTails(),
            environment.nanoClock(),
            environment.clockMillis());
    StreamingCopy streamingCopy = StreamingCopy.load();
    this.shared =
        new Lane.Shared(
            config,
            environment,
            retries,
            problems,
            store,
            files,
            new StagingPool(config.segmentBytes()),
            StagingShare.frames(config, destinations.size()),
            observing,
            () ->
                new SegmentSealer(
                    config.codec(), config.recipients(), environment.random(), streamingCopy),
            () -> new SegmentComposer(config.codec(), config.recipients(), environment.random()),
            maxTickMillis(config),
            new ArrayList<>(),
            destinations.size(),
            new Neighbour(config.neighbour(), environment.neighbours(), environment.nanoClock()));
  }

  private static ArchivedNames archivedNames(List<Source> sources) {
    List<ArchivedNames.Moved> moved = new ArrayList<>();
    for (Source source : sources) {
      source.as().ifPresent(there -> moved.add(new ArchivedNames.Moved(source.root(), there)));
    }
    return new ArchivedNames(moved);
  }

  private static long maxTickMillis(AgentConfig config) {
    return Math.clamp(
        config.maxAge().toMillis() / TICKS_PER_MAX_AGE, MIN_TICK_MILLIS, MAX_TICK_MILLIS);
  }

  /** What an agent consists of. */
  record Stages(
      Problems problems,
      FileRegistry files,
      List<Lane> lanes,
      WatchLoop watch,
      Neighbour neighbour) {}

  /** Everything, ready to start. */
  Stages assemble() throws IOException {
    LatestRun.note(
        store,
        destinations.stream()
            .map(d -> new LatestRun.Target(d.destination().uri().toString(), d.required()))
            .toList());
    List<Lane> lanes = new ArrayList<>();
    Optional<WatchLoop> opened = Optional.empty();
    boolean assembled = false;
    try {
      for (AgentDestination destination : destinations) {
        lanes.add(new Lane(lanes.size(), destination, shared));
      }
      WatchLoop watch = openWatch(lanes);
      opened = Optional.of(watch);
      for (Lane lane : lanes) {
        // Several are not waited for: one that is away must not keep the others from starting.
        lane.connect(watch, lanes.size() == 1);
      }
      assembled = true;
      return new Stages(problems, files, lanes, watch, shared.neighbour());
    } finally {
      if (!assembled) {
        lanes.forEach(lane -> lane.deliverer().close());
        opened.ifPresent(watch -> watch.close(Duration.ZERO));
        shared.neighbour().close();
      }
    }
  }

  private WatchLoop openWatch(List<Lane> lanes) throws IOException {
    SourceSet sources =
        new SourceSet(
            config.sources().stream()
                .map(s -> new SourceFilter(s.root(), s.include(), s.exclude()))
                .toList(),
            config.ownPlaces());
    WatchOptions options =
        WatchOptions.defaults()
            .withWanted(sources::wants)
            .withDescend(sources::descends)
            .withFollowSymlinks(config.followSymlinks())
            .withReconcileMillis(config.reconcile().toMillis())
            .withNames(NameMemoryBudget.bound(config, lanes.size(), Runtime.getRuntime().maxMemory()))
            .withPollMillis(config.poll().toMillis())
            .withTickMillis(MIN_TICK_MILLIS, maxTickMillis(config));
    return WatchLoop.open(
        environment.calls(),
        sources.roots(),
        options,
        observing,
        new TailOpener(
            environment.calls(),
            config.followSymlinks(),
            sources.roots(),
            config.foreignHardLinks()),
        files,
        lanes.stream().map(Lane::keeper).toList(),
        problems);
  }
}
