package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.child.ChildProcesses;
import dev.tailwater.destination.DestinationOpener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Runs every scene, one after the other. Cleaning up is left to the caller. */
public final class Rehearsal {
  private static final List<Scene> SCENES =
      List.of(new NoticeScene(), new TermScene(), new KillScene(), new OutageScene());

  private final SceneRun.Shared shared;
  private volatile boolean stopped;
  private volatile Optional<SceneRun> current = Optional.empty();

  /** A listener for the progress of the rehearsal. */
  @FunctionalInterface
  public interface Progress {
    void at(long done, long of);
  }

  public Rehearsal(
      RehearsalPlan plan,
      RehearsalPaths places,
      ChildProcesses processes,
      RehearsalCommands commands,
      DestinationOpener opener) {
    this.shared =
        new SceneRun.Shared(
            plan,
            places,
            processes,
            commands,
            new DeliveryCheck(opener),
            new LoadWriter.Text(new Random().nextLong()));
  }

  /**
   * Runs all scenes.
   *
   * @throws IOException a scene could not be run: the agent does not start, the disk is full, a
   *     destination has other bytes than were written
   */
  public RehearsalReport run(Progress progress) throws IOException, InterruptedException {
    List<SceneResult> results = new ArrayList<>();
    long slowest = Long.MAX_VALUE;
    for (Scene scene : SCENES) {
      progress.at(results.size(), SCENES.size());
      requireGoingOn();
      try (SceneRun run = SceneRun.open(shared, scene.name())) {
        current = Optional.of(run);
        requireGoingOn();
        slowest = Math.min(slowest, run.bytesPerSecond());
        results.add(scene.run(run));
      }
    }
    return new RehearsalReport(shared.plan(), slowest, results);
  }

  private void requireGoingOn() throws InterruptedException {
    if (stopped) {
      throw new InterruptedException("stopped");
    }
  }

  /** Ends writing and agents at once, from another thread. */
  public void stop() {
    stopped = true;
    current.ifPresent(run -> run.writer().close());
    shared.processes().close();
  }
}
