package dev.tailwater.destination;

import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * A factory for one kind of destination. {@link java.util.ServiceLoader} finds it: a JAR on the
 * class path or in the directory of a plug-in ({@link Plugins}) with a {@code
 * META-INF/services/dev.tailwater.destination.DestinationProvider} adds a kind.
 */
public interface DestinationProvider {
  /** Returns the URI schemes that this provider serves, in lower case. */
  Set<String> schemes();

  /** Returns the options that the query of its URIs may set ({@link DestinationQuery}). */
  default List<DestinationOption> options() {
    return List.of();
  }

  /**
   * Checks a URI without using a file or the network. {@link #open} considers every URI well-formed
   * that this method accepts.
   *
   * @param uri absolute, with one of {@link #schemes}
   * @throws UnknownDestinationException the URI is not well-formed for its scheme
   * @throws BrokenPluginException the plug-in lacks what the check needs
   */
  default void check(URI uri) throws PermanentDestinationException {
    var _ = DestinationQuery.parse(uri, options());
  }

  /**
   * Returns the canonical form of a URI, which is the {@link Destination#uri} of the open
   * destination. An agent stores its checkpoints under this form, even while it cannot open the
   * destination.
   *
   * @param uri absolute, with one of {@link #schemes}
   * @throws UnknownDestinationException the URI is not well-formed for its scheme
   */
  default URI canonical(URI uri) throws DestinationException {
    return uri;
  }

  /**
   * Opens a destination.
   *
   * @param uri absolute, with one of {@link #schemes}
   * @throws UnknownDestinationException the URI is not well-formed for its scheme
   * @throws DestinationException the place cannot be opened now
   */
  Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws DestinationException;
}
