package dev.tailwater.delivery;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * Keeps whoever puts a segment waiting until it is told, and knows all staging that it was shown.
 */
final class HoldingDestination implements Destination {
  private final Destination real = InMemoryDestination.create();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final Set<byte[]> staging = Collections.newSetFromMap(new IdentityHashMap<>());

  /** From now on nobody waits. */
  void open() {
    gate.countDown();
  }

  /** Bytes of all the different arrays that segments came in. */
  synchronized long stagingBytes() {
    return staging.stream().mapToLong(array -> array.length).sum();
  }

  private synchronized void note(ByteBuffer content) {
    if (content.arrayOffset() != 0) {
      throw new IllegalArgumentException("not the whole of a staging buffer");
    }
    staging.add(content.array());
  }

  @Override
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    note(content);
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return real.putSegment(key, content);
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
  public void close() throws DestinationException {
    real.close();
  }
}
