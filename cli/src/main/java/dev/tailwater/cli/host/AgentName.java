package dev.tailwater.cli.host;

import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The default name of an agent. */
public final class AgentName {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final int MAX_LENGTH = 64;

  private AgentName() {}

  /** Returns the host name, with characters that are not allowed replaced. */
  public static String ofHost() throws IOException {
    return fromHostName(Files.readString(HOST_NAME).strip());
  }

  static String fromHostName(String hostName) {
    String name = hostName.replaceAll("[^A-Za-z0-9._-]", "-");
    name = name.substring(0, Math.min(name.length(), MAX_LENGTH));
    // Linux reports "(none)" if no name was set.
    boolean unusable = hostName.equals("(none)") || name.startsWith(".");
    if (name.isEmpty() || unusable) {
      throw UserException.usage("this host has no usable name", "give the agent one: --agent NAME");
    }
    return name;
  }
}
