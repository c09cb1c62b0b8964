package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.datafile.tool.ClosedStore;
import dev.tailwater.store.datafile.tool.Stores;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The store that a command is about. */
final class StoreDirectory {
  @Parameters(index = "0", paramLabel = "DIR", description = "Directory of the store.")
  private String directory = "";

  private final FileCalls calls = LinuxFileCalls.create();

  /** Returns the store there, in either mode. */
  ClosedStore closed(Surroundings surroundings) throws IOException {
    return Stores.closed(calls, path(surroundings));
  }

  FileCalls calls() {
    return calls;
  }

  PosixPath path(Surroundings surroundings) {
    return PosixPath.of(absolute(surroundings));
  }

  Path absolute(Surroundings surroundings) {
    return surroundings.absolute(directory);
  }

  /** Returns the directory as the user wrote it. */
  String name() {
    return directory;
  }
}
