package dev.tailwater.bench;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program of article 002 that runs out of direct memory though hardly any is live: threads that
 * allocate direct buffers, write to them and drop them. A main class of its own, since it needs a
 * JVM with {@code -XX:MaxDirectMemorySize}. Prints how it ended, allocations and milliseconds.
 */
final class DirectBufferLoop {
  private DirectBufferLoop() {}

  /** Arguments: threads, bytes of a buffer, seconds. */
  public static void main(String[] arguments) throws InterruptedException {
    int threads = Integer.parseInt(arguments[0]);
    int sizeBytes = Integer.parseInt(arguments[1]);
    long seconds = Long.parseLong(arguments[2]);
    AtomicLong allocations = new AtomicLong();
    AtomicBoolean outOfMemory = new AtomicBoolean();
    CountDownLatch failed = new CountDownLatch(1);
    long startNanos = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  while (true) {
                    ByteBuffer.allocateDirect(sizeBytes).put(sizeBytes - 1, (byte) 1);
                    allocations.incrementAndGet();
                  }
                } catch (OutOfMemoryError e) {
                  outOfMemory.set(true);
                  failed.countDown();
                }
              });
    }
    boolean ended = failed.await(seconds, TimeUnit.SECONDS);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    String end = ended && outOfMemory.get() ? "OutOfMemoryError" : "ran";
    System.out.println(end + " " + allocations.get() + " " + millis);
  }
}
