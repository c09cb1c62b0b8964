package dev.tailwater.cli.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command line that starts this program as another process. */
public final class OwnCommand {
  /** Set by the launcher to its own path. */
  private static final String LAUNCHER_PROPERTY = "tailwater.launcher";

  private OwnCommand() {}

  /** Returns the command line of a new process with these arguments. */
  public static List<String> with(List<String> arguments) {
    List<String> command = new ArrayList<>();
    @Nullable String launcher = System.getProperty(LAUNCHER_PROPERTY);
    if (launcher != null) {
      command.add(launcher);
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add("dev.tailwater.cli.Main");
    }
    command.addAll(arguments);
    return command;
  }
}
