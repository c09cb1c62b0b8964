package dev.tailwater.cli.host;

import dev.tailwater.destination.Plugins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where destinations that are not part of the program are looked for. */
public final class PluginDirectories {
  /** Names directories, with colons between them, that come before the program's own. */
  private static final String VARIABLE = "TAILWATER_PLUGINS";

  /** Set by the launcher: {@code lib/plugins} beside the program. */
  private static final String PROPERTY = "tailwater.plugins";

  private PluginDirectories() {}

  /** The plug-ins of the user, then those beside the program. */
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
