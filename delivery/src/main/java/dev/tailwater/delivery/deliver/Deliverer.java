package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.pack.PackPut;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.receipt.Receipts;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Puts segments and stream records to a destination, several at once, and saves a checkpoint for
 * each one that has become durable. Thread-safe.
 */
public final class Deliverer implements AutoCloseable {
  /** How long closing waits for the calls that are under way. */
  public static final long CLOSE_MILLIS = 2_000;

  private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Destination destination;
  private final CheckpointSaver checkpoints;
  private final DeliveryListener listener;
  private final Problems problems;
  private final Retrier retrier;
  private final SegmentPut segments;
  private final StreamDescriber describer;
  private final Unsaid unsaid;
  private final LossesToOthers lossesToOthers;
  private final StagedRanges staged = new StagedRanges();
  private final Optional<Receipts> receipts;
  private final PackStages packs;
  private final PackLine packLine;
  private final Inventory inventory;
  private final DeliveryPool pool;

  /** The vanished streams of which the destination has not said how much it has. */
  private final Set<StreamProgress> unanswered = ConcurrentHashMap.newKeySet();

  @GuardedBy("this")
  private int underWay;

  @GuardedBy("this")
  private long orders;

  /**
   * Starts the threads.
   *
   * @param packs what is shared about packs
   */
  public Deliverer(
      Destination destination,
      CheckpointSaver checkpoints,
      DeliveryListener listener,
      Problems problems,
      DelivererSettings settings,
      PackStages packs) {
    this.destination = destination;
    this.checkpoints = checkpoints;
    this.listener = listener;
    this.problems = problems;
    this.unsaid = new Unsaid(destination.uri(), problems);
    this.lossesToOthers = new LossesToOthers(destination.uri(), problems);
    this.retrier = new Retrier(settings, problems, this::sayUnsaid);
    this.segments =
        new SegmentPut(
            destination,
            settings.contentKey(),
            problems,
            retrier,
            settings.meter().uplink(),
            new TakenNames(settings.parallel()),
            packs.inventory().trust());
    this.describer =
        new StreamDescriber(
            destination,
            retrier,
            checkpoints,
            listener,
            problems,
            settings.signer(),
            settings.receipts());
    this.receipts = settings.receipts();
    this.packs = packs;
    this.inventory = new Inventory(destination, Optional.of(packs.inventory()));
    this.packLine =
        new PackLine(
            PackPut.ofFresh(destination, settings.meter().uplink()),
            pack -> retrier.retry("destination " + destination.uri(), pack),
            refusal -> retrier.report(refusal.key(), refusal),
            new PackedArrival(
                checkpoints, staged, packs, listener, settings.receipts(), this::said),
            this::reportUnforeseen);
    this.pool = new DeliveryPool(settings, problems, this::reportUnforeseen);
  }

  /** Counts ranges as under way until it is closed. */
  public interface Announcement extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Counts a range as under way while a tail moves over it, until it is handed over: otherwise, for
   * whoever asks in between, it would be neither unread nor under way.
   *
   * @param sinceNanos when the first of its bytes was seen in the file
   */
  public Announcement announce(StreamProgress stream, ByteRange range, long sinceNanos) {
    StagedRange announced = new StagedRange(stream, range);
    staged.add(announced, sinceNanos);
    return () -> staged.remove(announced);
  }

  private void stage(PackedDelivery pack) {
    for (PackedDelivery.Part part : pack.parts()) {
      staged.add(new StagedRange(part.stream(), part.range()), part.sinceNanos());
    }
    for (PackedDelivery.Revised range : pack.revised()) {
      staged.add(new StagedRange(range.stream(), range.range()), range.sinceNanos());
    }
  }

  private void unstage(PackedDelivery pack) {
    pack.parts().forEach(part -> staged.remove(new StagedRange(part.stream(), part.range())));
    pack.revised().forEach(range -> staged.remove(new StagedRange(range.stream(), range.range())));
  }

  /**
   * Delivers a segment; returns at once. Never throws: the buffer is the deliverer's, and where no
   * thread can deliver the segment, it is given up.
   */
  public void deliver(Delivery delivery) {
    staged.add(
        new StagedRange(delivery.stream(), delivery.segment().range()), delivery.sinceNanos());
    submit(true, () -> put(delivery), () -> giveUp(delivery));
  }

  /**
   * Delivers a pack after those that were handed over before; returns at once. Throws only what
   * moving over it throws, and does not deliver it then. Otherwise the buffer is the deliverer's,
   * and where no thread can deliver the pack, it is given up.
   *
   * @param moveOver has the tails move over the pack, whose ranges count as under way by then
   */
  public void deliver(PackedDelivery pack, Runnable moveOver) {
    stage(pack);
    boolean moved = false;
    try {
      moveOver.run();
      moved = true;
    } finally {
      if (!moved) {
        unstage(pack);
      }
    }
    packLine.add(pack);
    submit(true, packLine::deliverAll, () -> packLine.giveUp(pack));
  }

  /** Writes what the archive does not say yet of the stream, if anything; returns at once. */
  public void describe(StreamProgress stream) {
    lossesToOthers.report(stream);
    boolean undescribed = stream.isUndescribed();
    if (!undescribed) {
      unsaid.said(stream);
    }
    if (packs.isOn() && !undescribed && !stream.isComplete()) {
      return;
    }
    if (packs.groups().accepts(stream) && isToldInPack(stream, undescribed)) {
      if (undescribed) {
        packs.facts().add(stream);
      } else {
        submit(false, () -> describer.completeIfTold(stream), () -> {});
      }
      return;
    }
    if (describer.begin(stream)) {
      submit(
          false,
          () -> {
            switch (describer.describe(stream)) {
              case SAID -> said(stream, true);
              case ONCE_MORE -> describe(stream);
              case GIVEN_UP -> noteUnsaid(stream, () -> describe(stream));
            }
          },
          () -> describer.end(stream));
    }
  }

  /** Notes what became of what was to be said of a stream; there may be more news by now. */
  private void said(StreamProgress stream, boolean arrived) {
    if (!arrived) {
      noteUnsaid(stream, () -> describe(stream));
    } else if (!stream.isUndescribed()) {
      unsaid.said(stream);
    }
  }

  private void noteUnsaid(StreamProgress stream, Runnable again) {
    if (!retrier.isAbandoned()) { // The next run says it.
      unsaid.givenUp(stream, again);
    }
  }

  /** Records follow one another, since each may be refused again; facts come into one pack. */
  private void sayUnsaid() {
    unsaid.retry(packs.isOn() ? Integer.MAX_VALUE : 1);
  }

  private boolean isToldInPack(StreamProgress stream, boolean undescribed) {
    return packs.isOn() || (undescribed && packs.use().tells(stream.streamPrefix()));
  }

  /**
   * Ends a stream whose file vanished while no agent watched: the archive will never hold more of
   * it than it does now. Returns at once.
   *
   * @param askDestination whether the archive may hold more than the checkpoint says
   */
  public void endVanished(StreamProgress stream, boolean askDestination, long nowMillis) {
    if (askDestination) {
      unanswered.add(stream);
    }
    endVanished(stream, askDestination, nowMillis, System.nanoTime());
  }

  private void endVanished(
      StreamProgress stream, boolean askDestination, long nowMillis, long sinceNanos) {
    submit(
        false,
        () -> {
          if (stream.hasUndelivered() && !awaitReturn(sinceNanos)) {
            return; // The next run finds that it has vanished.
          }
          if (askDestination) {
            Optional<List<ByteRange>> held =
                retrier.retry(
                    "destination " + destination.uri(),
                    () -> inventory.segmentsBeyond(stream.streamPrefix(), stream.durableBytes()));
            if (held.isEmpty()) {
              noteUnsaid(stream, () -> endVanished(stream, true, nowMillis, sinceNanos));
              return;
            }
            unsaid.said(stream);
            held.get().forEach(stream::holds);
            unanswered.remove(stream);
          }
          if (stream.endVanished(nowMillis)) {
            describe(stream);
          }
        },
        () -> {}); // The next run asks again.
  }

  /**
   * Waits as long as a file may take to be found that was renamed while the first scan looked for
   * it: what it has is at risk, and not lost. False when the agent ends.
   */
  private boolean awaitReturn(long sinceNanos) throws InterruptedException {
    long leftNanos = sinceNanos + RETURN_NANOS - System.nanoTime();
    return retrier.sleepThrough(Duration.ofNanos(Math.max(0, leftNanos)));
  }

  /**
   * Returns whether the next run must ask about streams that have {@linkplain #endVanished ended}.
   */
  public boolean hasUnanswered() {
    return !unanswered.isEmpty();
  }

  /** A question that the destination must answer before anything is delivered to it. */
  public interface Question<T> {
    T ask() throws DestinationException;
  }

  /** Receives the answer to a {@link Question}. */
  public interface Answer<T> {
    void accept(T answer) throws InterruptedException;
  }

  /**
   * Asks the destination until it answers; returns at once. The question counts as under way until
   * the answer has been accepted, or the question is given up, as it is without any thread.
   */
  public <T> void ask(Question<T> question, Answer<T> answer) {
    submit(
        false,
        () -> {
          Optional<T> answered = retrier.retry("destination " + destination.uri(), question::ask);
          if (answered.isPresent()) {
            answer.accept(answered.get());
          }
        },
        () -> {});
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  /**
   * Lets a thread do the work. Never throws.
   *
   * @param instead done at once when no thread will ever do the work
   */
  private void submit(boolean carriesBytes, Work work, Runnable instead) {
    long number;
    synchronized (this) {
      underWay++;
      number = orders++;
    }
    // An executor that fails to start a thread may have kept the order, or have executed it.
    AtomicBoolean begun = new AtomicBoolean();
    boolean accepted = false;
    try {
      pool.execute(new DeliveryOrder(carriesBytes, number, () -> runOnce(begun, work)));
      accepted = true;
    } catch (RejectedExecutionException e) {
      // Closed meanwhile: the next run finds in the source files what is not delivered.
    } catch (RuntimeException | Error e) {
      reportUnforeseen(e);
    } finally {
      if (!accepted) {
        runOnce(begun, instead::run);
      }
    }
  }

  private void runOnce(AtomicBoolean begun, Work work) {
    if (begun.compareAndSet(false, true)) {
      run(work);
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
      durable = segments.putDurably(segment, () -> taken(delivery));
    } catch (RuntimeException | Error e) {
      reportUnforeseen(e);
    } finally {
      release(delivery);
    }
    if (durable.isEmpty()) {
      undelivered(delivery);
      return;
    }
    delivery.stream().acknowledge(segment.range(), delivery.markerAtEnd());
    receipts.ifPresent(all -> all.acknowledged(delivery.stream().streamPrefix(), segment.range()));
    staged.remove(new StagedRange(delivery.stream(), segment.range()));
    checkpoints.save(delivery.stream());
    try {
      listener.delivered(delivery, durable.get() == SegmentPut.Outcome.OWN);
    } catch (RuntimeException | Error e) {
      reportUnforeseen(e); // The bytes are durable all the same, and the archive must say so.
    }
    if (delivery.stream().isComplete()) {
      describe(delivery.stream());
    }
  }

  /** The next run must not take for delivered what others have put there. */
  private void taken(Delivery delivery) {
    delivery.stream().taken(delivery.segment().range());
    checkpoints.save(delivery.stream());
  }

  /** Gives up a segment that no thread can put: the next run finds it in the source file. */
  private void giveUp(Delivery delivery) {
    release(delivery);
    undelivered(delivery);
  }

  private void release(Delivery delivery) {
    try {
      delivery.release().run();
    } catch (RuntimeException | Error e) {
      reportUnforeseen(e); // The archive may have the segment all the same.
    }
  }

  private void undelivered(Delivery delivery) {
    delivery.frames().ifPresent(HeldFrames::release);
    staged.givenUpUntilRestart(new StagedRange(delivery.stream(), delivery.segment().range()));
    listener.undelivered(delivery);
  }

  private void reportUnforeseen(Throwable e) {
    problems.report(
        "delivery to " + destination.uri(),
        "delivery to " + destination.uri() + " has failed: " + e,
        Optional.of("this should not happen; what is at risk stays so; restart the agent"),
        true);
  }

  /** Returns what was read and is not durable: under way, waiting, or given up. */
  public List<StagedRange> notDurable() {
    return staged.all();
  }

  /** Returns whether something is being said of the stream. */
  public boolean isDescribing(StreamProgress stream) {
    return describer.isDescribing(stream) || packs.facts().contains(stream);
  }

  /** Returns whether a range that was read is durable. */
  public boolean isDurable(StagedRange range) {
    return !staged.contains(range);
  }

  /** Returns how many bytes of files were read and are not durable. */
  public long notDurableBytes() {
    return staged.totalBytes();
  }

  /**
   * Returns when the oldest byte that was read and is not durable was seen in its file; empty when
   * there is none.
   */
  public OptionalLong oldestNotDurableNanos(long nowNanos) {
    return staged.oldestNanos(nowNanos);
  }

  /**
   * Allows this many calls to the destination at once, or as many as there are threads.
   *
   * @param calls fewer than in the settings have no effect
   */
  public void allow(int calls) {
    pool.resize(calls);
  }

  /** Returns whether something waits for a thread. */
  public boolean isBusy() {
    return pool.isBusy();
  }

  /** Returns how many pieces of work are under way or wait for a thread. */
  public synchronized int underWay() {
    return underWay + packLine.count();
  }

  /**
   * Waits until nothing is under way.
   *
   * @return false when the deadline passed before that
   */
  public synchronized boolean awaitIdle(Deadline deadline) throws InterruptedException {
    while (underWay() > 0 && !deadline.isPast()) {
      deadline.timedWait(this);
    }
    return underWay() == 0;
  }

  /** Makes every call that waits after a failure try again now. */
  public void retryNow() {
    retrier.retryNow();
  }

  /** Ends retrying: what is under way ends with its present attempt. */
  public void abandon() {
    retrier.abandon();
  }

  /** Abandons and begins to end the threads; returns at once. */
  public void beginClose() {
    abandon();
    pool.beginClose();
  }

  /**
   * Waits, after {@link #beginClose}, until the threads have ended. A call that hangs in the kernel
   * is not waited for any longer than this.
   */
  public void awaitClosed(long timeoutMillis) {
    pool.awaitClosed(timeoutMillis);
  }

  /** Abandons and ends the threads, waiting a moment for the calls that are under way. */
  @Override
  public void close() {
    beginClose();
    awaitClosed(CLOSE_MILLIS);
  }
}
