package dev.tailwater.destination;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A provider from a plug-in. During its calls, and those of what it opens, the thread's context
 * class loader is the plug-in's, since the cloud vendors' libraries look there for their parts. A
 * class that is missing then is reported with the name of the plug-in.
 */
final class PluginProvider implements DestinationProvider {
  private final DestinationProvider provider;
  private final ClassLoader loader;
  private final String scheme;
  private final Path home;

  /**
   * @param scheme for messages
   * @param home the directory of its JARs, for messages
   */
  PluginProvider(DestinationProvider provider, ClassLoader loader, String scheme, Path home) {
    this.provider = provider;
    this.loader = loader;
    this.scheme = scheme;
    this.home = home;
  }

  @Override
  public Set<String> schemes() {
    return provider.schemes();
  }

  @Override
  public List<DestinationOption> options() {
    return provider.options();
  }

  @Override
  public URI canonical(URI uri) throws DestinationException {
    return inside(() -> provider.canonical(uri));
  }

  @Override
  public Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws DestinationException {
    return inside(() -> new Opened(provider.open(uri, intent, context)));
  }

  @Override
  public void check(URI uri) throws PermanentDestinationException {
    inside(
        () -> {
          provider.check(uri);
          return this;
        });
  }

  private interface Call<T, E extends DestinationException> {
    T run() throws E;
  }

  private <T, E extends DestinationException> T inside(Call<T, E> call)
      throws E, BrokenPluginException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return call.run();
    } catch (LinkageError e) {
      // A library is loaded when it is first needed, which may be long after the plug-in was.
      throw new BrokenPluginException(scheme, home + " is incomplete or damaged: " + e, e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private final class Opened extends InterceptedDestination {
    Opened(Destination destination) {
      super(destination);
    }

    @Override
    protected <T> T around(Operation operation, String key, InterceptedDestination.Call<T> call)
        throws DestinationException {
      return inside(call::run);
    }
  }
}
