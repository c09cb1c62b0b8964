package dev.tailwater.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.URI;
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
 * Kinds of destinations that are not part of the program: directories named by the URI scheme that
 * they serve, with JARs in them.
 *
 * <pre>
 * /opt/tailwater/lib/plugins/   one of {@link #in}
 *     s3/                       is looked at when a URI begins with s3:
 *         destination-s3.jar    has META-INF/services/dev.tailwater.destination.DestinationProvider
 *         ...                   whatever library it needs
 * </pre>
 *
 * <p>Nothing is read before a URI of that scheme is opened. Each plug-in lives in a class loader of
 * its own: it sees the JDK and the packages {@code dev.tailwater.destination}, {@code
 * dev.tailwater.posix} and {@code dev.tailwater.io}; the libraries of the program and of other
 * plug-ins do not exist for it. While one of its methods runs, its class loader is the thread's
 * context class loader.
 *
 * <p>Thread-safe. A plug-in that was loaded stays loaded.
 */
public final class Plugins {
  /** What to do about a plug-in that cannot be loaded. */
  public static final String REINSTALL =
      "Remove that directory and unpack the plug-in of the same version as the program again.";

  private static final String SERVICE = "META-INF/services/" + DestinationProvider.class.getName();

  private final List<Path> directories;

  @GuardedBy("loaded")
  private final Map<String, DestinationProvider> loaded = new HashMap<>();

  private Plugins(List<Path> directories) {
    this.directories = List.copyOf(directories);
  }

  /** No plug-ins: what is on the class path is all there is. */
  public static Plugins none() {
    return new Plugins(List.of());
  }

  /** Those below these directories, which need not exist; the first that has the scheme wins. */
  public static Plugins in(List<Path> directories) {
    return new Plugins(directories);
  }

  /**
   * The plug-in for a scheme in lower case; empty when none is installed.
   *
   * @throws PermanentDestinationException there is one and it cannot be loaded
   */
  Optional<DestinationProvider> provider(String scheme) throws PermanentDestinationException {
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

  /** The directory of the plug-in of that name; empty when none is installed. */
  public Optional<Path> home(String name) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isDirectory)
        .findFirst();
  }

  /**
   * Whether a plug-in may serve a scheme: false if it has JARs, and all can be read, and none has a
   * provider of destinations. Such a plug-in adds something else to the program.
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
      return true; // Loading it says what is wrong.
    }
  }

  /** The schemes of all that are installed; they need not be loadable. */
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
      return Set.of(); // What cannot be read has none that could be used.
    }
  }

  /** Where a plug-in for the scheme would be found, as a sentence after another. */
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
   * Says how to install a plug-in that is one of the project's own packages.
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

  private static DestinationProvider load(String scheme, Path home)
      throws PermanentDestinationException {
    try {
      ClassLoader loader =
          new PluginClassLoader(scheme, jars(home), Plugins.class.getClassLoader());
      for (DestinationProvider provider : ServiceLoader.load(DestinationProvider.class, loader)) {
        if (provider.schemes().contains(scheme)) {
          return new PluginProvider(provider, loader);
        }
      }
    } catch (IOException | ServiceConfigurationError | LinkageError e) {
      throw broken(scheme, home + " cannot be loaded: " + e, e);
    }
    throw broken(scheme, "nothing in " + home + " serves the scheme " + scheme, null);
  }

  /** The JARs of a plug-in. Of two with one class in them, always the same one comes first. */
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

  private static PermanentDestinationException broken(
      String scheme, String reason, @Nullable Throwable cause) {
    URI place = URI.create(scheme + ":/");
    String what = "the plug-in for " + scheme + ": " + reason;
    return cause == null
        ? new PermanentDestinationException(place, "open", "", what, REINSTALL)
        : new PermanentDestinationException(place, "open", "", what, REINSTALL, cause);
  }
}
