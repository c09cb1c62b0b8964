package dev.tailwater.cli.command;

import dev.tailwater.cli.demo.DemoWriter;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The writing process of {@code tailwater demo}. */
@Command(
    name = "demo-writer",
    hidden = true,
    description = "Append to files and rotate them until stdin ends.")
final class DemoWriterCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(index = "0", paramLabel = "DIR", description = "Where to.")
  private String directory = "";

  DemoWriterCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    long seed = System.nanoTime();
    DemoWriter.Written written =
        new DemoWriter(surroundings.absolute(directory), seed).writeUntilEndOf(System.in);
    surroundings.err().println("writer, seed " + seed + ": " + written);
    return ExitCode.DONE.number();
  }
}
