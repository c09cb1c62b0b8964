package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.rehearse.OutageDestination;
import dev.tailwater.cli.rehearse.RehearsalPaths;
import dev.tailwater.cli.rehearse.RehearsalSettings;
import dev.tailwater.cli.ship.AgentProcess;
import dev.tailwater.cli.ship.ShipPlan;
import dev.tailwater.cli.ship.StopSignals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The agent of {@code tailwater rehearse}, which ends it in each scene. */
@Command(
    name = RehearseAgentCommand.NAME,
    hidden = true,
    description =
        "Ship the files of a rehearsal, with the settings of the agent that is rehearsed.")
public final class RehearseAgentCommand implements Callable<Integer> {
  static final String NAME = "rehearse-agent";
  private static final String DIRECTORY = "--rehearsal-directory";
  private static final String SCENE = "--rehearsal-scene";
  private static final String FOLDER = "--rehearsal-folder";

  private final Surroundings surroundings;

  @Mixin private ShipArguments arguments = new ShipArguments();

  @Option(
      names = DIRECTORY,
      required = true,
      paramLabel = "DIR",
      description = "The directory of the rehearsal.")
  private String directory = "";

  @Option(names = SCENE, required = true, paramLabel = "NAME", description = "The scene.")
  private String scene = "";

  @Option(
      names = FOLDER,
      required = true,
      paramLabel = "FOLDER",
      description = "The folder of the rehearsal at the destinations.")
  private String folder = "";

  public RehearseAgentCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Returns the arguments for such an agent, before the options of the agent that is rehearsed. */
  static List<String> commandLine(RehearsalPaths places, String scene, String folder) {
    return List.of(NAME, DIRECTORY, places.root().toString(), SCENE, scene, FOLDER, folder);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    RehearsalPaths places = new RehearsalPaths(Path.of(directory));
    ShipSettings settings =
        RehearsalSettings.of(arguments.settings(surroundings), places, scene, folder, surroundings);
    Path cut = places.cut(scene);
    return new AgentProcess(
            ShipPlan.of(settings, surroundings),
            surroundings,
            destination -> new OutageDestination(destination, cut))
        .untilSignal(StopSignals.listen(surroundings))
        .number();
  }
}
