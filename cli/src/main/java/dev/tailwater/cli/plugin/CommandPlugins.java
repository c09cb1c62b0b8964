package dev.tailwater.cli.plugin;

import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.Version;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.destination.Plugins;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Finds the commands of plug-ins: on the class path, or in the directories where plug-ins for
 * destinations are found too.
 */
public final class CommandPlugins {
  private final Surroundings surroundings;

  public CommandPlugins(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * The command of a package. If it comes from a plug-in, the plug-in's class loader becomes the
   * thread's context class loader, where libraries look for their parts. Where the package is
   * missing or broken, the command says so when it is run.
   */
  public CommandLine load(CommandPackage wanted) {
    try {
      Optional<CommandPlugin> plugin = plugin(wanted.name());
      return plugin.isPresent()
          ? plugin.get().command(surroundings)
          : MissingCommand.of(wanted, notInstalled(wanted.name()));
    } catch (IOException | ServiceConfigurationError | LinkageError e) {
      return MissingCommand.of(wanted, broken(wanted.name(), "cannot be loaded: " + e, e));
    } catch (UserException e) {
      return MissingCommand.of(wanted, e);
    }
  }

  /** The command of a package without loading it, for a run that does not use it. */
  public CommandLine mention(CommandPackage mentioned) {
    return MissingCommand.of(mentioned, notInstalled(mentioned.name()));
  }

  private Optional<CommandPlugin> plugin(String name) throws IOException {
    ClassLoader program = CommandPlugins.class.getClassLoader();
    Optional<CommandPlugin> known = find(name, program);
    if (known.isPresent()) {
      return known;
    }
    Optional<Path> home = PluginDirectories.of(surroundings).home(name);
    if (home.isEmpty()) {
      return Optional.empty();
    }
    ClassLoader loader = new URLClassLoader("tailwater-" + name, Plugins.jars(home.get()), program);
    CommandPlugin found =
        find(name, loader)
            .orElseThrow(() -> broken(name, "nothing in " + home.get() + " has the command", null));
    requireSameVersion(name, found);
    Thread.currentThread().setContextClassLoader(loader);
    return Optional.of(found);
  }

  private static Optional<CommandPlugin> find(String name, ClassLoader loader) {
    return ServiceLoader.load(CommandPlugin.class, loader).stream()
        .map(ServiceLoader.Provider::get)
        .filter(plugin -> plugin.name().equals(name))
        .findFirst();
  }

  /** Classes of another version would fail later, and with a message that helps nobody. */
  private static void requireSameVersion(String name, CommandPlugin plugin) throws IOException {
    @Nullable String version = plugin.getClass().getPackage().getImplementationVersion();
    if (version != null && !version.equals(Version.number())) {
      throw broken(
          name, "version " + version + ", but the program has version " + Version.number(), null);
    }
  }

  private UserException notInstalled(String name) {
    return UserException.usage(
        "the command " + name + " is not installed",
        PluginDirectories.of(surroundings).howToInstall(name));
  }

  private static UserException broken(String name, String reason, @Nullable Throwable cause) {
    String message = "the plug-in for " + name + ": " + reason;
    return cause == null
        ? UserException.failed(message, Plugins.REINSTALL)
        : UserException.failed(message, Plugins.REINSTALL, cause);
  }
}
