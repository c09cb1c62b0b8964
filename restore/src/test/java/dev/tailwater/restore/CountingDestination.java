package dev.tailwater.restore;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests to a destination. */
final class CountingDestination implements Destination {
  private final Destination real;
  private final AtomicInteger lists = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();

  CountingDestination(Destination real) {
    this.real = real;
  }

  /** Returns the requests since the last call. */
  int requests() {
    return lists.getAndSet(0) + reads.getAndSet(0);
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
    reads.incrementAndGet();
    return real.read(key, offsetBytes, lengthBytes);
  }

  @Override
  public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
      throws DestinationException {
    lists.incrementAndGet();
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
