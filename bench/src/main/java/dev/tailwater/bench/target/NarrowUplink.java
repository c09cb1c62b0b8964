package dev.tailwater.bench.target;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A destination behind a link that carries so many bytes a second, for all together, one put after
 * the other. A put returns when its last byte has passed the link and the real one is done. What is
 * merged passes freely: merging rests in a drain.
 */
public final class NarrowUplink extends ForwardingDestination {
  private final long bytesPerSecond;
  private long freeAtNanos = System.nanoTime();

  public NarrowUplink(Destination real, long bytesPerSecond) {
    super(real);
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
  public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
    pass(key, content.remaining());
    return real().putSegment(key, content);
  }

  @Override
  public void putObject(String key, byte[] content) throws DestinationException {
    pass(key, content.length);
    real().putObject(key, content);
  }
}
