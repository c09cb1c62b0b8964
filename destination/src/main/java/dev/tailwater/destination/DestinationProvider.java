package dev.tailwater.destination;

import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * Opens one kind of destination. Found by {@link java.util.ServiceLoader}: a JAR on the class path,
 * or in the directory of a plug-in ({@link Plugins}), with a {@code
 * META-INF/services/dev.tailwater.destination.DestinationProvider} adds a kind.
 */
public interface DestinationProvider {
  /** The URI schemes it serves, in lower case. */
  Set<String> schemes();

  /** What can be set in the query of its URIs ({@link DestinationQuery}). */
  default List<DestinationOption> options() {
    return List.of();
  }

  /**
   * Checks what a URI says, as far as that can be told from the URI alone: neither a file nor the
   * network is asked. What it accepts, {@link #open} takes for well-formed.
   *
   * @param uri absolute, with one of {@link #schemes}
   * @throws UnknownDestinationException the URI is not well-formed for its scheme
   */
  default void check(URI uri) throws UnknownDestinationException {
    var _ = DestinationQuery.parse(uri, options());
  }

  /**
   * The same place in one spelling: what the open destination will say that it is. An agent that
   * cannot open it now keeps its checkpoints under that name all the same.
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
