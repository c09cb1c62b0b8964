package dev.tailwater.delivery;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Makes puts of segments wait until it is told, and remembers all staging buffers that it saw. */
final class HoldingDestination extends ForwardingDestination {
  private final CountDownLatch gate = new CountDownLatch(1);
  private final Set<byte[]> staging = Collections.newSetFromMap(new IdentityHashMap<>());

  HoldingDestination() {
    super(InMemoryDestination.create());
  }

  /** Lets every put go on from now on. */
  void open() {
    gate.countDown();
  }

  /** Returns the total size of all the different arrays that segments came in. */
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
    return real().putSegment(key, content);
  }
}
