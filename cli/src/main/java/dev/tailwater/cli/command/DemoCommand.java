package dev.tailwater.cli.command;

import dev.tailwater.cli.demo.Demo;
import dev.tailwater.cli.demo.DemoResult;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tailwater demo}. */
@Command(
    name = "demo",
    description =
        "Write, rotate and ship files, kill and restart the agent, restore and compare:"
            + " half a minute in a temporary directory.")
final class DemoCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Option(names = "--keep", description = "Keep the temporary directory.")
  private boolean keep;

  DemoCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    DemoResult result = Demo.run(surroundings.err(), keep);
    surroundings.err().println();
    result.print(surroundings.out());
    return (result.isWell() ? ExitCode.DONE : ExitCode.FAILED).number();
  }
}
