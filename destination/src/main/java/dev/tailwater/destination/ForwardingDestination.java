package dev.tailwater.destination;

import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A destination that forwards every call to another one. A subclass overrides only the calls that
 * it changes, and cannot forget one. As thread-safe as the wrapped destination.
 */
public abstract class ForwardingDestination implements Destination {
  private final Destination real;

  /**
   * Creates a destination that forwards to the given one.
   *
   * @param real the wrapped destination, which is closed with this one
   */
  protected ForwardingDestination(Destination real) {
    this.real = real;
  }

  /** Returns the wrapped destination. */
  protected final Destination real() {
    return real;
  }

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
    return real.putSegment(key, content);
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return real.beginSegment(key);
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
  public void removeEmptyFolders(String folder) throws DestinationException {
    real.removeEmptyFolders(folder);
  }

  @Override
  public void close() throws DestinationException {
    real.close();
  }
}
