package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.child.ChildProcesses;
import dev.tailwater.destination.DestinationContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Plays every way to end, one after the other. Cleaning up is the caller's. */
public final class Rehearsal {
  private static final List<Scene> SCENES =
      List.of(new NoticeScene(), new TermScene(), new KillScene(), new OutageScene());

  private final Stage.Props props;
  private volatile boolean stopped;
  private volatile Optional<Stage> playing = Optional.empty();

  /** Is told how far it has come, of all. */
  @FunctionalInterface
  public interface Progress {
    void at(long done, long of);
  }

  /** How agents are started, and where they deliver to. */
  public interface Commands {
    /** The arguments of the program for the agent of a scene. */
    List<String> agent(String scene);

    /** The places that bytes must reach in a scene. */
    List<String> required(String scene);
  }

  public Rehearsal(
      RehearsalPlan plan,
      RehearsalPlaces places,
      ChildProcesses processes,
      Commands commands,
      DestinationContext context) {
    this.props =
        new Stage.Props(
            plan,
            places,
            processes,
            commands,
            new Delivered(context),
            new LoadWriter.Text(new Random().nextLong()));
  }

  /**
   * Plays.
   *
   * @throws IOException a scene could not be played: the agent does not start, the disk is full, a
   *     destination has other bytes than were written
   */
  public RehearsalReport run(Progress progress) throws IOException, InterruptedException {
    List<SceneResult> results = new ArrayList<>();
    long slowest = Long.MAX_VALUE;
    for (Scene scene : SCENES) {
      progress.at(results.size(), SCENES.size());
      requireGoingOn();
      try (Stage stage = Stage.open(props, scene.name())) {
        playing = Optional.of(stage);
        requireGoingOn();
        slowest = Math.min(slowest, stage.bytesPerSecond());
        results.add(scene.play(stage));
      }
    }
    return new RehearsalReport(props.plan(), slowest, results);
  }

  private void requireGoingOn() throws InterruptedException {
    if (stopped) {
      throw new InterruptedException("stopped");
    }
  }

  /** Ends writing and agents at once, from another thread. */
  public void stop() {
    stopped = true;
    playing.ifPresent(stage -> stage.writer().close());
    props.processes().close();
  }
}
