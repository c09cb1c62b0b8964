package dev.tailwater.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.URL;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The installed plug-ins for destinations: directories of JARs, each named by the URI scheme that
 * it serves.
 *
 * <pre>
 * /opt/tailwater/lib/plugins/   a directory given to {@link #in}
 *     s3/                       is looked at when a URI begins with s3:
 *         destination-s3.jar    has META-INF/services/dev.tailwater.destination.DestinationProvider
 *         ...                   whatever library it needs
 * </pre>
 *
 * <p>A plug-in is not read before a URI of its scheme is opened. Each plug-in has a class loader of
 * its own, which sees the JDK and the packages {@code dev.tailwater.destination}, {@code
 * dev.tailwater.posix} and {@code dev.tailwater.io}, but no libraries of the program or of other
 * plug-ins. While a method of the plug-in runs, this class loader is the thread's context class
 * loader.
 *
 * <p>Thread-safe. A loaded plug-in is never unloaded.
 */
public final class Plugins {
  /** The hint for a plug-in that cannot be loaded. */
  public static final String REINSTALL =
      "Remove that directory and unpack the plug-in of the same version as the program again.";

  private static final String SERVICE = "META-INF/services/" + DestinationProvider.class.getName();

  private final List<Path> directories;

  @GuardedBy("loaded")
  private final Map<String, DestinationProvider> loaded = new HashMap<>();

  private Plugins(List<Path> directories) {
    this.directories = List.copyOf(directories);
  }

  /** Returns an instance without plug-ins, for what is on the class path alone. */
  public static Plugins none() {
    return new Plugins(List.of());
  }

  /** Returns the plug-ins in these directories, which need not exist; the first match wins. */
  public static Plugins in(List<Path> directories) {
    return new Plugins(directories);
  }

  /**
   * Returns the plug-in for a scheme in lower case; empty if none is installed.
   *
   * @throws BrokenPluginException the plug-in cannot be loaded
   */
  Optional<DestinationProvider> provider(String scheme) throws BrokenPluginException {
    synchronized (loaded) {
      @Nullable DestinationProvider known = loaded.get(scheme);
      if (known != null) {
        return Optional.of(known);
      }
      Optional<Path> home = home(scheme).filter(Plugins::mayHoldADestination);
      if (home.isEmpty()) {
        return Optional.empty();
      }
      DestinationProvider provider = load(scheme, home.get());
      loaded.put(scheme, provider);
      return Optional.of(provider);
    }
  }

  /** Returns the directory of the plug-in of that name; empty if none is installed. */
  public Optional<Path> home(String name) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isDirectory)
        .findFirst();
  }

  /**
   * Returns whether a plug-in may serve a scheme. Returns false only if it has JARs, all of them
   * can be read, and none has a provider of destinations: such a plug-in adds something else to the
   * program.
   */
  private static boolean mayHoldADestination(Path home) {
    try {
      List<Path> jars = jarFiles(home);
      for (Path jar : jars) {
        try (JarFile file = new JarFile(jar.toFile())) {
          if (file.getEntry(SERVICE) != null) {
            return true;
          }
        }
      }
      return jars.isEmpty();
    } catch (IOException e) {
      return true; // The attempt to load it reports the problem.
    }
  }

  /** Returns the schemes of all installed plug-ins, which need not be loadable. */
  Set<String> installed() {
    Set<String> schemes = new TreeSet<>();
    directories.forEach(directory -> schemes.addAll(schemesIn(directory)));
    return schemes;
  }

  private static Set<String> schemesIn(Path directory) {
    Set<String> schemes = new TreeSet<>();
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(directory, Files::isDirectory)) {
      for (Path home : homes) {
        if (mayHoldADestination(home)) {
          schemes.add(home.getFileName().toString());
        }
      }
      return schemes;
    } catch (IOException | DirectoryIteratorException e) {
      return Set.of(); // A plug-in in an unreadable directory could not be used.
    }
  }

  /** Returns a sentence that says where a plug-in for the scheme would be found. */
  String whereToLook(String scheme) {
    return directories.isEmpty()
        ? ""
        : " A plug-in for "
            + scheme
            + " would lie in "
            + directories.getLast().resolve(scheme)
            + ".";
  }

  /**
   * Returns a sentence that says how to install one of the project's own plug-ins.
   *
   * @param name the last part of the package's name: {@code s3}
   */
  public String howToInstall(String name) {
    if (directories.isEmpty()) {
      return "Add the JARs of tailwater-" + name + " to the class path.";
    }
    return "Unpack the package tailwater-"
        + name
        + " of the same version in the program's directory, so that its JARs lie in "
        + directories.getLast().resolve(name)
        + "; TAILWATER_PLUGINS=DIR names another directory of plug-ins.";
  }

  private static DestinationProvider load(String scheme, Path home) throws BrokenPluginException {
    try {
      ClassLoader loader =
          new PluginClassLoader(scheme, jars(home), Plugins.class.getClassLoader());
      for (DestinationProvider provider : ServiceLoader.load(DestinationProvider.class, loader)) {
        if (provider.schemes().contains(scheme)) {
          return new PluginProvider(provider, loader, scheme, home);
        }
      }
    } catch (IOException | ServiceConfigurationError | LinkageError e) {
      throw new BrokenPluginException(scheme, home + " cannot be loaded: " + e, e);
    }
    throw new BrokenPluginException(scheme, "nothing in " + home + " serves the scheme " + scheme);
  }

  /** Returns the JARs of a plug-in, sorted, so that the class path does not depend on the disk. */
  public static URL[] jars(Path home) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jarFiles(home)) {
      urls.add(jar.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  private static List<Path> jarFiles(Path home) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(home, "*.jar")) {
      List<Path> jars = new ArrayList<>();
      files.forEach(jars::add);
      jars.sort(null);
      return jars;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
