package dev.tailwater.bench;

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
import java.util.concurrent.TimeUnit;

/**
 * A destination behind a link that carries so many bytes a second, for all together, one put after
 * the other. A put returns when its last byte has passed the link and the real one is done.
 */
final class NarrowUplink implements Destination {
  private final Destination real;
  private final long bytesPerSecond;
  private long freeAtNanos = System.nanoTime();

  NarrowUplink(Destination real, long bytesPerSecond) {
    this.real = real;
    this.bytesPerSecond = bytesPerSecond;
  }

  private void pass(String key, int bytes) throws DestinationException {
    long arrivedNanos;
    synchronized (this) {
      long now = System.nanoTime();
      long beginNanos = freeAtNanos - now > 0 ? freeAtNanos : now;
      arrivedNanos = beginNanos + TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond;
      freeAtNanos = arrivedNanos;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(0, arrivedNanos - System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientDestinationException(uri(), "put", key, "interrupted", "The bench ends.");
    }
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
    pass(key, content.remaining());
    return real.putSegment(key, content);
  }

  @Override
  public SegmentUpload beginSegment(String key) throws DestinationException {
    return real.beginSegment(key); // Merging rests in a drain.
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
    pass(key, content.length);
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
