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
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A destination that could not be opened when the agent started. Each call tries to open it, until
 * one succeeds. Thread-safe.
 */
public final class LateDestination implements Destination {
  /** The capabilities that are assumed until it is open. */
  private static final Capabilities ASSUMED = new Capabilities(Integer.MAX_VALUE, 1_000, 64L << 20);

  private final URI uri;
  private final Opening opening;
  private volatile Optional<Destination> opened = Optional.empty();
  private volatile boolean closed;
  private final AtomicBoolean released = new AtomicBoolean();

  /** Opens the destination. */
  public interface Opening {
    Destination open() throws DestinationException;
  }

  /**
   * Creates a destination that is not open yet.
   *
   * @param uri the URI of the destination once it is open
   */
  public LateDestination(URI uri, Opening opening) {
    this.uri = uri;
    this.opening = opening;
  }

  private synchronized Destination real() throws DestinationException {
    if (opened.isEmpty() && !closed) {
      opened = Optional.of(opening.open());
    }
    if (closed) {
      closeOpened(); // It may have been opened while this was closed.
      throw new TransientDestinationException(
          uri, "open", "", "it is closed", "The bytes stay at risk; the next start delivers them.");
    }
    return opened.get();
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public Capabilities capabilities() {
    return opened.map(Destination::capabilities).orElse(ASSUMED);
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    return real().putSegment(key, content);
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return real().beginSegment(key);
  }

  @Override
  public InputStream read(String key, long offsetBytes, long lengthBytes)
      throws DestinationException {
    return real().read(key, offsetBytes, lengthBytes);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    return real().list(prefix, afterKey, maxEntries);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    real().putObject(key, content);
  }

  @Override
  public void delete(String key) throws DestinationException {
    real().delete(key);
  }

  @Override
  public void removeEmptyFolders(String folder) throws DestinationException {
    real().removeEmptyFolders(folder);
  }

  /** Closes the destination; does not wait for an attempt to open it that hangs. */
  @Override
  public void close() throws DestinationException {
    closed = true;
    closeOpened();
  }

  private void closeOpened() throws DestinationException {
    if (opened.isPresent() && released.compareAndSet(false, true)) {
      opened.get().close();
    }
  }
}
