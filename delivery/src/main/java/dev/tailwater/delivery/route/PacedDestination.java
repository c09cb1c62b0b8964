package dev.tailwater.delivery.route;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A destination whose segments go no faster than a {@link Pacer} lets them. What is small and what
 * is read does not wait.
 */
public record PacedDestination(Destination real, Pacer pacer) implements Destination {

  @Override
  public URI uri() {
    return real.uri();
  }

  @Override
  public Capabilities capabilities() {
    return real.capabilities();
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    boolean mayGo;
    try {
      mayGo = pacer.await(content.remaining());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      mayGo = false;
    }
    if (!mayGo) {
      throw new TransientDestinationException(
          uri(),
          "put",
          key,
          "the agent stops while this waits for its bandwidth",
          "The bytes stay at risk; the next start delivers them.");
    }
    return real.putSegment(key, content);
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    return real.read(key, offsetBytes, lengthBytes);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    return real.list(prefix, afterKey, maxEntries);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    real.putObject(key, content);
  }

  @Override
  public void delete(String key) throws DestinationException {
    real.delete(key);
  }

  @Override
  public void close() throws DestinationException {
    real.close();
  }
}
