package dev.tailwater.cli.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.posix.LinuxFileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.log.StoreTool;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands that look into a store have in common. */
final class StoreDirectory {
  @Parameters(index = "0", paramLabel = "DIR", description = "Directory of the store.")
  private String directory = "";

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  StoreTool tool(Surroundings surroundings) {
    return new StoreTool(LinuxFileCalls.create(), PosixPath.of(surroundings.absolute(directory)));
  }

  boolean json() {
    return json;
  }

  String name() {
    return directory;
  }
}
