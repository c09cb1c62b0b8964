package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.GapJson;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamJson;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.Ending;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts segments and stream records to the destination, several at once, and saves a checkpoint for
 * each that became durable. Thread-safe.
 *
 * <p>The threads are platform threads: a put to a directory spends its time in native calls, which
 * would pin the carriers of virtual threads.
 */
public final class Deliverer implements AutoCloseable {
  /** For how long it is worth waiting for what is under way when all is to end. */
  public static final long CLOSE_MILLIS = 2_000;

  private final Destination destination;
  private final CheckpointSaver checkpoints;
  private final DeliveryListener listener;
  private final Problems problems;
  private final Retrier retrier;
  private final SegmentPut segments;
  private final int parallel;
  private final DeliveryThreads makers;
  private final ThreadPoolExecutor threads;
  private final ThreadShortage shortage;
  private final Set<StreamProgress> describing = new HashSet<>();
  private final Map<StagedRange, Long> staged = new ConcurrentHashMap<>();
  private final AtomicLong stagedBytes = new AtomicLong();
  private int underWay;
  private long orders;

  public Deliverer(
      Destination destination,
      CheckpointSaver checkpoints,
      DeliveryListener listener,
      Problems problems,
      DelivererSettings settings) {
    this.destination = destination;
    this.checkpoints = checkpoints;
    this.listener = listener;
    this.problems = problems;
    this.retrier = new Retrier(settings, problems);
    this.segments = new SegmentPut(destination, retrier, settings.meter().uplink());
    this.parallel = settings.parallel();
    this.makers =
        new DeliveryThreads(settings.priorities(), settings.threads(), this::reportUnforeseen);
    this.shortage = new ThreadShortage(problems, "more threads for deliveries");
    this.threads =
        new ThreadPoolExecutor(
            settings.parallel(),
            settings.parallel(),
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            makers);
    boolean started = false;
    try {
      // Now, by this thread: later a worker would make them, and they would begin as low as it is.
      threads.prestartAllCoreThreads();
      started = true;
    } finally {
      if (!started) {
        threads.shutdownNow();
      }
    }
  }

  /** Takes a segment over; returns at once. */
  public void deliver(Delivery delivery) {
    StagedRange range = new StagedRange(delivery.stream(), delivery.segment().range());
    if (staged.put(range, delivery.sinceNanos()) == null) {
      stagedBytes.addAndGet(range.range().lengthBytes());
    }
    submit(true, () -> put(delivery));
  }

  /** Writes what the archive does not say yet of the stream, if anything; returns at once. */
  public void describe(StreamProgress stream) {
    synchronized (this) {
      if (!describing.add(stream)) {
        return;
      }
    }
    submit(false, () -> putDescription(stream));
  }

  /**
   * The stream's file vanished while no agent watched: what the archive holds is all there will be.
   *
   * @param askDestination whether it may hold more than the checkpoint says
   */
  public void endVanished(StreamProgress stream, boolean askDestination, long nowMillis) {
    submit(
        false,
        () -> {
          if (askDestination) {
            Optional<List<ByteRange>> held =
                retrier.retry(
                    "destination " + destination.uri(),
                    () ->
                        new Inventory(destination)
                            .segmentsBeyond(stream.streamPrefix(), stream.durableBytes()));
            if (held.isEmpty()) {
              return; // Given up; the next run asks again.
            }
            held.get().forEach(stream::holds);
          }
          if (stream.endVanished(nowMillis)) {
            describe(stream);
          }
        });
  }

  /** What is asked of the destination before anything is delivered to it. */
  public interface Question<T> {
    T ask() throws DestinationException;
  }

  /** What becomes of the answer. */
  public interface Answer<T> {
    void accept(T answer) throws InterruptedException;
  }

  /**
   * Asks the destination, again and again until it answers; returns at once. It counts as under way
   * until the answer is dealt with, or the question is given up.
   */
  public <T> void ask(Question<T> question, Answer<T> answer) {
    submit(
        false,
        () -> {
          Optional<T> told = retrier.retry("destination " + destination.uri(), question::ask);
          if (told.isPresent()) {
            answer.accept(told.get());
          }
        });
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private void submit(boolean carriesBytes, Work work) {
    long number;
    synchronized (this) {
      underWay++;
      number = orders++;
    }
    boolean taken = false;
    try {
      execute(new DeliveryOrder(carriesBytes, number, () -> run(work)));
      taken = true;
    } catch (RejectedExecutionException e) {
      // Closed meanwhile: the next run finds in the source files what is not delivered.
      return;
    } finally {
      if (!taken) {
        done();
      }
    }
  }

  private void execute(DeliveryOrder order) {
    try {
      threads.execute(order);
    } catch (OutOfMemoryError e) {
      if (threads.getPoolSize() == 0) {
        throw e;
      }
      // There is no thread to replace one that has ended; the others take the order.
      shortage.report(e);
      threads.getQueue().add(order);
    }
  }

  private void run(Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      reportUnforeseen(e);
    } finally {
      done();
    }
  }

  private synchronized void done() {
    underWay--;
    notifyAll();
  }

  private void put(Delivery delivery) throws InterruptedException {
    SealedSegment segment = delivery.segment();
    Optional<SegmentPut.Outcome> durable = Optional.empty();
    try {
      durable = segments.putDurably(segment);
    } catch (RuntimeException | Error e) {
      reportUnforeseen(e);
    } finally {
      delivery.release().run();
    }
    if (durable.isEmpty()) {
      delivery.frames().ifPresent(HeldFrames::release);
      listener.undelivered(delivery);
      return;
    }
    delivery.stream().acknowledge(segment.range(), delivery.markerAtEnd());
    if (staged.remove(new StagedRange(delivery.stream(), segment.range())) != null) {
      stagedBytes.addAndGet(-segment.range().lengthBytes());
    }
    checkpoints.save(delivery.stream());
    try {
      listener.delivered(delivery, durable.get() == SegmentPut.Outcome.OWN);
    } catch (RuntimeException | Error e) {
      reportUnforeseen(e); // The bytes are durable all the same, and the archive is to say so.
    }
    if (delivery.stream().isComplete()) {
      describe(delivery.stream());
    }
  }

  private void putDescription(StreamProgress stream) throws InterruptedException {
    boolean told = false;
    try {
      told = tellAll(stream);
    } finally {
      synchronized (this) {
        describing.remove(stream);
      }
    }
    // A fact may have come up between the last look and the line above.
    if (told && stream.undescribed().isPresent()) {
      describe(stream);
    } else if (told && stream.isComplete()) {
      if (stream.ending().filter(Ending::isFinal).isPresent()) {
        checkpoints.forgetAll(List.of(stream.id()));
      }
      listener.completed(stream);
    }
  }

  private boolean tellAll(StreamProgress stream) throws InterruptedException {
    for (Optional<StreamProgress.Description> news = stream.undescribed();
        news.isPresent();
        news = stream.undescribed()) {
      StreamProgress.Description description = news.get();
      String prefix = stream.streamPrefix();
      boolean told =
          retrier
              .retry(
                  "destination " + destination.uri(),
                  () -> {
                    for (GapRecord gap : description.gaps()) {
                      destination.putObject(
                          ArchiveNames.gap(prefix, gap.range()), GapJson.write(gap));
                    }
                    destination.putObject(
                        ArchiveNames.streamObject(prefix), StreamJson.write(description.record()));
                    return true;
                  })
              .isPresent();
      if (!told) {
        return false;
      }
      stream.described(description);
      checkpoints.save(stream);
    }
    return true;
  }

  private void reportUnforeseen(Throwable e) {
    problems.report(
        "delivery to " + destination.uri(),
        "delivery to " + destination.uri() + " has failed: " + e,
        Optional.of("this should not happen; what is at risk stays so; restart the agent"),
        true);
  }

  /** What was read and is not durable: on its way, waiting, or given up. */
  public List<StagedRange> notDurable() {
    return List.copyOf(staged.keySet());
  }

  /** Whether what was read is not among those any more. */
  public boolean isDurable(StagedRange range) {
    return !staged.containsKey(range);
  }

  /** How many bytes of files that are. */
  public long notDurableBytes() {
    return stagedBytes.get();
  }

  /** When the oldest of them was seen in its file; empty when there are none. */
  public OptionalLong oldestNotDurableNanos(long nowNanos) {
    return staged.values().stream().mapToLong(since -> nowNanos - since).max().stream()
        .map(age -> nowNanos - age)
        .findFirst();
  }

  /**
   * So many calls to the destination may be under way at once from now on, or as many as there are
   * threads.
   *
   * @param calls no fewer than it was made for are allowed in any case
   */
  public void allow(int calls) {
    int allowed = Math.max(parallel, calls);
    if (allowed > threads.getMaximumPoolSize()) {
      grow(allowed);
    } else {
      threads.setCorePoolSize(allowed);
      threads.setMaximumPoolSize(allowed);
    }
  }

  private void grow(int allowed) {
    try {
      threads.setMaximumPoolSize(allowed);
      threads.setCorePoolSize(allowed);
      threads.prestartAllCoreThreads();
      shortage.resolved();
    } catch (OutOfMemoryError e) {
      // As many as there are: otherwise each order would try in vain to start another one.
      int living = Math.max(1, threads.getPoolSize());
      threads.setCorePoolSize(living);
      threads.setMaximumPoolSize(living);
      shortage.report(e);
    }
  }

  /** Whether something waits for a thread. */
  public boolean isBusy() {
    return !threads.getQueue().isEmpty();
  }

  /** How many calls are under way or wait for a thread. */
  public synchronized int underWay() {
    return underWay;
  }

  /** Waits until nothing is under way; false when the time is over first. */
  public synchronized boolean awaitIdle(long timeoutMillis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (underWay > 0) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (leftMillis <= 0) {
        return false;
      }
      wait(leftMillis);
    }
    return true;
  }

  /** Its threads are as any others; or, when all who asked for that are done, lower again. */
  public void hurry(boolean hurry) {
    makers.hurry(hurry);
  }

  /** Waits for nothing before the next attempt. */
  public void retryNow() {
    retrier.retryNow();
  }

  /** Nothing is tried again; what is under way ends with its present attempt. */
  public void abandon() {
    retrier.abandon();
  }

  /** Abandons and begins to end the threads; returns at once. */
  public void beginClose() {
    abandon();
    threads.shutdown();
  }

  /** Waits, after {@link #beginClose}, for what is under way, but not for ever. */
  public void awaitClosed(long timeoutMillis) {
    try {
      if (!threads.awaitTermination(timeoutMillis, TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** Abandons and ends the threads; a call that hangs in the kernel is not waited for. */
  @Override
  public void close() {
    beginClose();
    awaitClosed(CLOSE_MILLIS);
  }
}
