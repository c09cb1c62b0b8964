package dev.tailwater.store.datafile.read;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;

/**
 * A pool of read buffers. A thread takes the buffer in the slot of its id, or creates one; nobody
 * ever waits. Not a thread-local, because every virtual thread would leave a buffer behind.
 */
public final class ReadBufferPool {
  private static final int SLOTS = 64;
  private static final int TRIES = 4;

  /** Slots of different threads do not share a cache line. */
  private static final int SPACING = 16;

  private final AtomicReferenceArray<ReadBuffer> slots =
      new AtomicReferenceArray<>(SLOTS * SPACING);

  /**
   * The buffers of the seats at the gate. All are created at once: they are small before they are
   * used.
   */
  private final List<ReadBuffer> ofSeats =
      Stream.generate(ReadBuffer::new).limit(ReaderGate.SEATS).toList();

  /** Returns the buffer of a {@linkplain ReaderGate#takeSeat seat}, which is not given back. */
  ReadBuffer ofSeat(int seat) {
    return ofSeats.get(seat);
  }

  public ReadBuffer take() {
    long home = home();
    for (int i = 0; i < TRIES; i++) {
      ReadBuffer free = slots.getAndSet(slot(home + i), null);
      if (free != null) {
        return free;
      }
    }
    return new ReadBuffer();
  }

  public void giveBack(ReadBuffer buffer) {
    buffer.release();
    long home = home();
    for (int i = 0; i < TRIES; i++) {
      if (slots.compareAndSet(slot(home + i), null, buffer)) {
        return;
      }
    }
    // All slots nearby are full: the garbage collector frees this one.
  }

  private static long home() {
    return Thread.currentThread().threadId();
  }

  private static int slot(long number) {
    return (int) (number % SLOTS) * SPACING;
  }

  /** Returns the mapped reads of pooled buffers that were not counted elsewhere. */
  long unsampledReads() {
    long reads = 0;
    for (int i = 0; i < SLOTS; i++) {
      ReadBuffer buffer = slots.get(i * SPACING);
      reads += buffer == null ? 0 : buffer.samples.uncounted();
    }
    for (ReadBuffer buffer : ofSeats) {
      reads += buffer.samples.uncounted();
    }
    return reads;
  }
}
