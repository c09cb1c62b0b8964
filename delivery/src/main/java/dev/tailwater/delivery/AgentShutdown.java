package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.AgentState;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.delivery.watch.FileRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The end of an agent's stages: each is stopped before those that it hands work to. Used once. */
final class AgentShutdown {
  /** How long the watch, and then the workers, may take to end. */
  static final Duration STAGE = Duration.ofSeconds(5);

  /** How long a pass over directories may take to end. */
  static final Duration TREE = Duration.ofSeconds(1);

  /** How long delivering may take to end. */
  static final Duration DELIVERY = Duration.ofMillis(Deliverer.CLOSE_MILLIS);

  private final Assembly.Stages stages;
  private final Optional<RiskWatch> riskWatch;
  private final StateWatch stateWatch;
  private final AgentState state;

  AgentShutdown(
      Assembly.Stages stages,
      Optional<RiskWatch> riskWatch,
      StateWatch stateWatch,
      AgentState state) {
    this.stages = stages;
    this.riskWatch = riskWatch;
    this.stateWatch = stateWatch;
    this.state = state;
  }

  /**
   * Ends the stages and closes files and store, but not the destinations.
   *
   * @param atMost how long to wait for threads that hang in a call
   */
  void run(Duration atMost) throws IOException {
    Deadline end = Deadline.after(atMost);
    CloseSequence closing = new CloseSequence();
    riskWatch.ifPresent(RiskWatch::close);
    stages.hangs().close();
    stages.comparer().close();
    closing.run(() -> stages.watch().close(end.within(STAGE).left()));
    stages.neighbour().close();
    stages.lanes().forEach(lane -> closing.run(lane::stop));
    Deadline reading = end.within(STAGE);
    for (Lane lane : stages.lanes()) {
      lane.awaitTree(end.within(TREE));
    }
    boolean nothingIsRead = true;
    for (Lane lane : stages.lanes()) {
      nothingIsRead &= lane.awaitWorkers(reading);
    }
    for (Lane lane : stages.lanes()) {
      lane.awaitMerger(reading);
    }
    awaitComparer(reading);
    for (Lane lane : stages.lanes()) {
      boolean clean = nothingIsRead;
      boolean nothingWaits = stages.watch().isNothingWaiting();
      closing.run(() -> lane.beginEnd(clean, nothingWaits));
    }
    Deadline delivering = end.within(DELIVERY);
    for (Lane lane : stages.lanes()) {
      closing.run(() -> lane.end(delivering.left().toMillis()));
    }
    // What a busy machine let nobody finish, with a descriptor of its own or a lease of one.
    stages.lanes().forEach(lane -> lane.awaitMerger(end));
    awaitComparer(end);
    closing.run(() -> closeAll(stages.files()));
    closing.run(stages.watch()::closeQuietFiles);
    closing.run(stateWatch::end);
    closing.run(state::close);
    closing.end();
  }

  private void awaitComparer(Deadline deadline) {
    try {
      var _ = stages.comparer().awaitEnd(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeAll(FileRegistry files) throws IOException {
    CloseSequence closing = new CloseSequence();
    for (WatchedFile file : files.all()) {
      file.tails().forEach(Tail::end);
      closing.run(file::giveUpDescriptor);
    }
    closing.end();
  }
}
