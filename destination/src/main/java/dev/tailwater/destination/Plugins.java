package dev.tailwater.destination;

import java.io.IOException;
import java.net.MalformedURLException;
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
  private static final String REINSTALL =
      "Remove that directory and unpack the plug-in of the same version as the program again.";

  private final List<Path> directories;
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
      for (Path directory : directories) {
        Path home = directory.resolve(scheme);
        if (Files.isDirectory(home)) {
          DestinationProvider provider = load(scheme, home);
          loaded.put(scheme, provider);
          return Optional.of(provider);
        }
      }
      return Optional.empty();
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
      homes.forEach(home -> schemes.add(home.getFileName().toString()));
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

  /** What to do to have the plug-in for the scheme, which is one of the project's own packages. */
  String howToInstall(String scheme) {
    if (directories.isEmpty()) {
      return "Add the JARs of tailwater-" + scheme + " to the class path.";
    }
    return "Unpack the package tailwater-"
        + scheme
        + " of the same version in the program's directory, so that its JARs lie in "
        + directories.getLast().resolve(scheme)
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

  private static URL[] jars(Path home) throws IOException {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(home, "*.jar")) {
      files.forEach(jars::add);
    }
    // Of two JARs with one class in them, always the same one wins.
    jars.sort(null);
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(url(jar));
    }
    return urls.toArray(URL[]::new);
  }

  private static URL url(Path jar) throws MalformedURLException {
    return jar.toUri().toURL();
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
