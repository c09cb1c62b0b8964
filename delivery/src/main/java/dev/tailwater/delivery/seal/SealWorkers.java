package dev.tailwater.delivery.seal;

import dev.tailwater.archive.SegmentSealer;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.io.Descriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads that cut segments. Compression is the cost, so there are as many as told; in a hurry
 * as many as can run.
 */
public final class SealWorkers implements AutoCloseable {
  private static final String LISTING = "listing the destination";
  private static final long FILE_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long DESTINATION_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SealContext context;
  private final Supplier<SegmentSealer> sealers;
  private final int workers;
  private final int helpers;
  private final List<Thread> threads = new ArrayList<>();
  private int hurries;
  private int started;

  /**
   * @param workers how many there always are
   * @param inAHurry how many there are in a hurry, if that is more
   */
  public SealWorkers(
      SealContext context, Supplier<SegmentSealer> sealers, int workers, int inAHurry) {
    this.context = context;
    this.sealers = sealers;
    this.workers = workers;
    this.helpers = Math.max(0, inAHurry - workers);
  }

  public synchronized void start() {
    for (int i = 0; i < workers; i++) {
      start(false);
    }
  }

  private void start(boolean isHelper) {
    threads.add(
        Thread.ofPlatform().name("seal-" + started++).daemon(true).start(() -> work(isHelper)));
  }

  /** More of them from now on; or, when all who asked for that are done, as many as always. */
  public synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    threads.removeIf(thread -> !thread.isAlive());
    if (hurry && hurries == 1 && !context.queue().isClosed()) {
      for (int i = threads.size(); i < workers + helpers; i++) {
        start(true);
      }
    }
  }

  private void work(boolean isHelper) {
    try (SegmentCutter cutter = new SegmentCutter(context, sealers.get())) {
      for (Optional<DueQueue.Claim> claim = context.queue().claim(isHelper);
          claim.isPresent();
          claim = context.queue().claim(isHelper)) {
        Tail tail = claim.get().tail();
        try {
          cut(cutter, tail, claim.get().dueNanos());
        } finally {
          context.queue().release(tail);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Staging was closed, or the agent is stopped at once.
    } catch (Error e) {
      context
          .problems()
          .report(
              "sealing",
              "sealing has failed: " + e,
              Optional.of("nothing is read any more; restart the agent"),
              true);
      context.queue().close();
      throw e;
    }
  }

  private void cut(SegmentCutter cutter, Tail tail, long dueNanos) throws InterruptedException {
    String subject = tail.name().toString();
    try {
      Optional<Descriptor> descriptor = tail.descriptor();
      if (descriptor.isEmpty()) {
        defer(tail, FILE_RETRY_NANOS); // Gone, or no descriptor left; the watch settles which.
        return;
      }
      cutter.cut(tail, descriptor.get().fd(), dueNanos);
      tail.undefer();
      context.problems().resolved(subject);
      context.problems().resolved(LISTING);
    } catch (DestinationException e) {
      context
          .problems()
          .report(LISTING, String.valueOf(e.getMessage()), Optional.of(e.hint()), false);
      defer(tail, DESTINATION_RETRY_NANOS);
    } catch (IOException | RuntimeException e) {
      // One bad file does not stop the rest; its bytes stay at risk and are tried again.
      context.problems().report(subject, e, "the file stays at risk and is tried again");
      defer(tail, FILE_RETRY_NANOS);
    }
  }

  private void defer(Tail tail, long nanos) {
    tail.defer(context.nanoClock().getAsLong() + nanos);
  }

  /** Waits until the threads have ended, after the queue was closed. */
  public boolean awaitEnd(long timeoutMillis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    List<Thread> all;
    synchronized (this) {
      all = List.copyOf(threads);
    }
    for (Thread thread : all) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (thread.isAlive() && !thread.join(Duration.ofMillis(Math.max(1, left)))) {
        return false;
      }
    }
    return true;
  }

  /** Ends the threads at once; a segment that is being sealed is dropped. */
  @Override
  public void close() {
    context.queue().close();
    context.staging().close();
  }
}
