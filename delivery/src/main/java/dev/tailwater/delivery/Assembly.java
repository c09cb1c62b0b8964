package dev.tailwater.delivery;

import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.delivery.checkpoint.LatestRun;
import dev.tailwater.delivery.compare.Comparer;
import dev.tailwater.delivery.compare.ComparisonQueue;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.hang.HangWatch;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.source.SourceSet;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.watch.FileRegistry;
import dev.tailwater.delivery.watch.ObserverContext;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Assembles an agent's stages, and finds out where the last run ended. Used once. */
final class Assembly {
  private final SharedStages shared;
  private final List<AgentDestination> destinations;
  private final AgentConfig config;
  private final AgentEnvironment environment;
  private final ComparisonQueue comparisons;

  Assembly(SharedStages shared, List<AgentDestination> destinations) {
    this.shared = shared;
    this.destinations = destinations;
    this.config = shared.config();
    this.environment = shared.environment();
    this.comparisons = new ComparisonQueue(shared.tempo(), shared.clocks().nanoClock());
  }

  /** What an agent consists of. */
  record Stages(
      Problems problems,
      FileRegistry files,
      List<Lane> lanes,
      WatchLoop watch,
      Comparer comparer,
      Neighbour neighbour,
      Tempo tempo,
      Optional<ObjectSigner> signer,
      FileCalls sourceCalls,
      HangWatch hangs) {}

  /** Returns all stages, ready to start. */
  Stages assemble() throws IOException {
    LatestRun.note(
        shared.state().notes(),
        destinations.stream()
            .map(d -> new LatestRun.Target(d.destination().uri().toString(), d.required()))
            .toList(),
        shared.movedSources());
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
        // Of several, none is waited for: one that is away must not keep the others from starting.
        lane.connect(watch, lanes.size() == 1);
      }
      assembled = true;
      return new Stages(
          shared.problems(),
          shared.files(),
          lanes,
          watch,
          comparer(lanes),
          shared.neighbour(),
          shared.tempo(),
          shared.signer(),
          shared.sourceCalls(),
          new HangWatch(
              environment.calls(),
              shared.callSlots(),
              shared.problems(),
              environment.nanoClock(),
              thread -> substitute(lanes, thread)));
    } finally {
      if (!assembled) {
        lanes.forEach(lane -> lane.deliverer().close());
        opened.ifPresent(watch -> watch.close(Duration.ZERO));
        shared.neighbour().close();
      }
    }
  }

  private static boolean substitute(List<Lane> lanes, Thread hanging) {
    return lanes.stream().anyMatch(lane -> lane.substitute(hanging));
  }

  private Comparer comparer(List<Lane> lanes) {
    return new Comparer(
        shared.sourceCalls(),
        comparisons,
        lanes.stream().map(Lane::forComparison).toList(),
        shared.problems(),
        shared.tempo(),
        shared.clocks(),
        shared.neighbour());
  }

  private WatchLoop openWatch(List<Lane> lanes) throws IOException {
    SourceSet sources = shared.sources();
    WatchOptions options =
        WatchOptions.defaults()
            .withWanted(sources::wants)
            .withDescend(sources::descends)
            .withLeftOut(shared.ownDirectories()::include)
            .withFollowSymlinks(config.scope().followSymlinks())
            .withReconcileMillis(config.timing().reconcile().toMillis())
            .withNames(shared.names())
            .withPollMillis(config.timing().poll().toMillis())
            .withTickMillis(SharedStages.MIN_TICK_MILLIS, shared.maxTickMillis());
    TailOpener opener =
        new TailOpener(
            shared.sourceCalls(),
            config.scope().followSymlinks(),
            sources.roots(),
            config.scope().foreignHardLinks());
    return WatchLoop.open(
        shared.sourceCalls(),
        options,
        new ObserverContext(
            shared.observing(),
            sources.roots(),
            opener,
            shared.files(),
            shared.state().names(),
            lanes.stream().map(Lane::keeper).toList(),
            comparisons,
            shared.arrivals(),
            environment.random(),
            shared.problems()),
        shared.tempo(),
        shared.neighbour()::promptly);
  }
}
