package dev.tailwater.cli.probe;

import dev.tailwater.cli.host.SlowAnswers;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.OpenIntent;
import java.net.URI;

/** A destination given by a URI. Its folders extend the path of the URI, before a query. */
public final class UriTarget implements ProbeTarget {
  private final URI given;
  private final DestinationOpener opener;
  private final Surroundings surroundings;

  /** Slow answers of it are told on stderr. */
  public UriTarget(URI given, DestinationOpener opener, Surroundings surroundings) {
    this.given = given;
    this.opener = opener;
    this.surroundings = surroundings;
  }

  @Override
  public URI uri() {
    return given;
  }

  @Override
  public Destination open() throws DestinationException {
    return SlowAnswers.open(opener, given.toString(), OpenIntent.WRITE, surroundings);
  }

  @Override
  public Destination open(String folder) throws DestinationException {
    return SlowAnswers.open(opener, below(given, folder), OpenIntent.WRITE, surroundings);
  }

  /**
   * Returns the URI of a folder of a destination.
   *
   * @param folder of letters that a URI has as they are
   */
  public static String below(URI given, String folder) {
    String text = given.toString();
    int query = text.indexOf('?');
    String place = query < 0 ? text : text.substring(0, query);
    return place.replaceFirst("/+$", "") + "/" + folder + (query < 0 ? "" : text.substring(query));
  }
}
