package dev.tailwater.cli.host;

import dev.tailwater.destination.Plugins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The directories where plug-ins are looked for. */
public final class PluginDirectories {
  /** Names directories, separated by colons, that come before the program's own. */
  private static final String VARIABLE = "TAILWATER_PLUGINS";

  /** Set by the launcher: {@code lib/plugins} beside the program. */
  private static final String PROPERTY = "tailwater.plugins";

  private PluginDirectories() {}

  /** Returns the plug-ins in the user's directories, then those beside the program. */
  public static Plugins of(Surroundings surroundings) {
    List<Path> directories = new ArrayList<>();
    for (String name : surroundings.variable(VARIABLE).orElse("").split(":", -1)) {
      if (!name.isEmpty()) {
        directories.add(surroundings.absolute(name));
      }
    }
    @Nullable String own = System.getProperty(PROPERTY);
    if (own != null) {
      directories.add(Path.of(own));
    }
    return Plugins.in(directories);
  }
}
