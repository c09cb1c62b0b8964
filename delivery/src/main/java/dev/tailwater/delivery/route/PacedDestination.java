package dev.tailwater.delivery.route;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import java.nio.ByteBuffer;

/**
 * A destination to which segments are sent no faster than a {@link Pacer} allows. Small objects and
 * reads do not wait.
 */
public final class PacedDestination extends ForwardingDestination {
  private final Pacer pacer;

  /**
   * Creates a destination in front of another.
   *
   * @param real closed with this one
   */
  public PacedDestination(Destination real, Pacer pacer) {
    super(real);
    this.pacer = pacer;
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    awaitTurn(key, content.remaining());
    return real().putSegment(key, content);
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

  /** Paces each piece by itself, so that a long upload does not hold up short ones. */
  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return new PacedUpload(key, real().beginSegment(key));
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
}
