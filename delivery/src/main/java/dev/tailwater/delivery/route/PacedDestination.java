package dev.tailwater.delivery.route;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
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
    awaitTurn(key, content.remaining());
    return real.putSegment(key, content);
  }

  private void awaitTurn(String key, int lengthBytes) throws TransientDestinationException {
    boolean mayGo;
    try {
      mayGo = pacer.await(lengthBytes);
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
  }

  /** Each piece waits by itself, so that what is short is not held up by what is long. */
  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return new PacedUpload(key, real.beginSegment(key));
  }

  private final class PacedUpload implements SegmentUpload {
    private final String key;
    private final SegmentUpload upload;

    PacedUpload(String key, SegmentUpload upload) {
      this.key = key;
      this.upload = upload;
    }

    @Override
    public void write(ByteBuffer content) throws DestinationException {
      awaitTurn(key, content.remaining());
      upload.write(content);
    }

    @Override
    public PutResult commit() throws DestinationException {
      return upload.commit();
    }

    @Override
    public void close() throws DestinationException {
      upload.close();
    }
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
