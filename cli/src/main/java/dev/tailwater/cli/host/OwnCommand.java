package dev.tailwater.cli.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command line that starts this program as another process. */
public final class OwnCommand {
  /** Set by the launcher to its own path. */
  private static final String LAUNCHER_PROPERTY = "tailwater.launcher";

  /**
   * Tells the launcher to set the property of the same meaning. It keeps the variable from the
   * program, which would pass it on to what it starts.
   */
  private static final String ENDS_WITH_INPUT_VARIABLE = "TAILWATER_ENDS_WITH_INPUT";

  private static final String ENDS_WITH_INPUT_PROPERTY = "tailwater.endsWithInput";

  private OwnCommand() {}

  /** Returns what starts a new process with these arguments. */
  public static ProcessBuilder with(List<String> arguments) {
    return builder(arguments, false);
  }

  /** The same for a process that {@link #endsWithInput}. */
  public static ProcessBuilder endingWithInput(List<String> arguments) {
    return builder(arguments, true);
  }

  private static ProcessBuilder builder(List<String> arguments, boolean endsWithInput) {
    List<String> command = new ArrayList<>();
    @Nullable String launcher = System.getProperty(LAUNCHER_PROPERTY);
    if (launcher != null) {
      command.add(launcher);
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("--enable-native-access=ALL-UNNAMED");
      if (endsWithInput) {
        command.add("-D" + ENDS_WITH_INPUT_PROPERTY + "=true");
      }
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add("dev.tailwater.cli.Main");
    }
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    if (launcher != null && endsWithInput) {
      builder.environment().put(ENDS_WITH_INPUT_VARIABLE, "yes");
    }
    return builder;
  }

  /**
   * Returns whether the input of this process is a pipe that its parent keeps open and never writes
   * to, and this process is to end with it.
   */
  public static boolean endsWithInput() {
    return Boolean.getBoolean(ENDS_WITH_INPUT_PROPERTY);
  }
}
