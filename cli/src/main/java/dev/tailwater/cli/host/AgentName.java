package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name that an agent has when it was given none. */
public final class AgentName {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final int MAX_LENGTH = 64;

  private AgentName() {}

  /** The host name, what is not allowed in it replaced. */
  public static String ofHost() throws IOException {
    return fromHostName(Files.readString(HOST_NAME).strip());
  }

  static String fromHostName(String hostName) {
    String name = hostName.replaceAll("[^A-Za-z0-9._-]", "-");
    name = name.substring(0, Math.min(name.length(), MAX_LENGTH));
    // "(none)" is what Linux says before anybody has set a name.
    boolean unusable = hostName.equals("(none)") || name.equals(".") || name.equals("..");
    if (name.isEmpty() || unusable) {
      throw UserException.usage("this host has no usable name", "give the agent one: --agent NAME");
    }
    return name;
  }
}
