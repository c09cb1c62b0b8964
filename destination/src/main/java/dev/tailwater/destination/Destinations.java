package dev.tailwater.destination;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Methods that open destinations by the path or URI that a user writes. */
public final class Destinations {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):.*");

  private static final Pattern EMPTY = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:(//)?");

  /** The schemes that have a package {@code tailwater-SCHEME} of their own. */
  private static final Set<String> PACKAGES = Set.of("az", "gs", "hdfs", "s3");

  private Destinations() {}

  /**
   * Opens the destination that the text names: {@code /dir}, a relative path (from the working
   * directory), {@code file:///dir}, or a URI of another kind on the class path. {@link
   * DestinationOpener} opens those of plug-ins too.
   *
   * @throws UnknownDestinationException the text names no destination; message and hint say what
   *     would
   * @throws DestinationException the destination cannot be opened now
   */
  public static Destination open(String text, OpenIntent intent, DestinationContext context)
      throws DestinationException {
    return open(text, intent, context, Plugins.none());
  }

  static Destination open(
      String text, OpenIntent intent, DestinationContext context, Plugins plugins)
      throws DestinationException {
    URI uri = parse(text);
    return provider(uri.getScheme(), plugins).open(uri, intent, context);
  }

  /**
   * Checks whether the text names a destination, using only the text and what is installed here.
   * Loads the plug-in, but makes no call to the destination.
   *
   * @throws UnknownDestinationException the text names no destination, or sets unknown options
   * @throws BrokenPluginException the plug-in cannot be loaded
   */
  public static void check(String text, Plugins plugins) throws PermanentDestinationException {
    URI uri = parse(text);
    provider(uri.getScheme(), plugins).check(uri);
  }

  static URI canonical(String text, Plugins plugins) throws DestinationException {
    URI uri = parse(text);
    return provider(uri.getScheme(), plugins).canonical(uri);
  }

  private static DestinationProvider provider(String scheme, Plugins plugins)
      throws PermanentDestinationException {
    TreeSet<String> known = new TreeSet<>();
    Optional<Throwable> damage = Optional.empty();
    try {
      for (DestinationProvider provider : ServiceLoader.load(DestinationProvider.class)) {
        if (provider.schemes().contains(scheme)) {
          return guarded(provider, scheme, plugins);
        }
        known.addAll(provider.schemes());
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      // The launcher has put a damaged plug-in on the class path; loaded alone, it says more.
      damage = Optional.of(e);
    }
    Optional<DestinationProvider> plugin = plugins.provider(scheme);
    if (plugin.isPresent()) {
      return plugin.get();
    }
    if (damage.isPresent()) {
      throw new BrokenPluginException(
          scheme, "a plug-in on the class path cannot be loaded: " + damage.get(), damage.get());
    }
    known.addAll(plugins.installed());
    throw unknown(scheme, known, plugins);
  }

  /** What an installed plug-in lacks is reported, wherever the launcher has put its JARs. */
  private static DestinationProvider guarded(
      DestinationProvider provider, String scheme, Plugins plugins) {
    ClassLoader loader = provider.getClass().getClassLoader();
    return plugins
        .home(scheme)
        .<DestinationProvider>map(home -> new PluginProvider(provider, loader, scheme, home))
        .orElse(provider);
  }

  private static UnknownDestinationException unknown(
      String scheme, Set<String> installed, Plugins plugins) {
    Set<String> known = new TreeSet<>(installed);
    known.addAll(PACKAGES);
    String path = " A path with a colon is written as ./" + scheme + ":...";
    return PACKAGES.contains(scheme)
        ? new UnknownDestinationException(
            URI.create(scheme + ":/"),
            "no destination for scheme " + scheme + " is installed",
            plugins.howToInstall(scheme) + path)
        : new UnknownDestinationException(
            URI.create(scheme + ":/"),
            "unknown scheme " + scheme + "; known: " + String.join(", ", known),
            "Name a directory, or a URI with one of these schemes."
                + plugins.whereToLook(scheme)
                + path);
  }

  /**
   * Parses what a user writes. The scheme becomes lower case, a path becomes {@code file:///dir}.
   */
  public static URI parse(String text) throws UnknownDestinationException {
    Matcher scheme = SCHEME.matcher(text);
    if (!scheme.matches()) {
      return ofPath(text);
    }
    String name = scheme.group(1);
    if (EMPTY.matcher(text).matches()) {
      throw new UnknownDestinationException(
          URI.create(name.toLowerCase(Locale.ROOT) + ":/"),
          "nothing follows " + text,
          "Write the whole name, such as s3://bucket/prefix or file:///backup/archive.");
    }
    try {
      return withoutUser(new URI(name.toLowerCase(Locale.ROOT) + text.substring(name.length())));
    } catch (URISyntaxException e) {
      // The text itself stays out of the message: it may hold a secret.
      throw new UnknownDestinationException(
          URI.create(name.toLowerCase(Locale.ROOT) + ":/"),
          "not a well-formed URI: " + e.getReason() + " at character " + (e.getIndex() + 1),
          "Write a path as it is, or percent-encode the character in the URI (a space is %20).");
    }
  }

  /** Rejects user info, which no kind of destination uses, so that no message can show a secret. */
  private static URI withoutUser(URI uri) throws UnknownDestinationException {
    String authority = uri.getRawAuthority();
    if (authority != null && authority.indexOf('@') >= 0) {
      throw new UnknownDestinationException(
          URI.create(uri.getScheme() + ":/"),
          "there is a user name or password in front of an @ in the URI",
          "Leave it out: credentials are never part of a destination's name.");
    }
    return uri;
  }

  private static URI ofPath(String text) throws UnknownDestinationException {
    if (text.isBlank()) {
      throw badPath("the destination is empty");
    }
    try {
      return new URI("file", "", Path.of(text).toAbsolutePath().toString(), null);
    } catch (InvalidPathException | URISyntaxException e) {
      throw badPath("not a legal path: " + e.getMessage());
    }
  }

  private static UnknownDestinationException badPath(String reason) {
    return new UnknownDestinationException(
        URI.create("file:/"), reason, "Name a directory, such as /backup/archive.");
  }
}
