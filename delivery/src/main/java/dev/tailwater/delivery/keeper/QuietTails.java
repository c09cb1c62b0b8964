package dev.tailwater.delivery.keeper;

import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The tails of one destination whose files have nothing at risk: these may be closed, leave memory
 * and come back. Used by the watch thread only.
 */
public final class QuietTails {
  /** How long a file that is to be closed waits for its comparison. */
  private static final long COMPARED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Only so short files are compared at once, since that takes as much time as it needs. */
  private static final long COMPARED_AT_ONCE_BYTES = 1 << 20;

  private final LaneTools lane;
  private final LaneStart start;
  private final Consumer<Tail> expect;

  /**
   * Creates it for one lane.
   *
   * @param expect has a tail that comes back scheduled with the next ones
   */
  QuietTails(LaneTools lane, LaneStart start, Consumer<Tail> expect) {
    this.lane = lane;
    this.start = start;
    this.expect = expect;
  }

  /**
   * Claims the file's tail, if it has nothing at risk and is compared, and so needs no descriptor
   * now. Others wait for descriptors, so a comparison that does not come is not waited for.
   */
  public boolean tryClaimQuiet(WatchedFile file) {
    Optional<Tail> found = tailOf(file);
    if (found.isEmpty()) {
      return true;
    }
    Tail tail = found.get();
    if (!tail.work().isDone()) {
      return false;
    }
    if (tail.content().awaitsComparison()
        && lane.clocks().nanos() - tail.lastChangeNanos() < COMPARED_WITHIN_NANOS) {
      file.comparisons().want(tail); // When it is closed, nobody can tell whether it was rewritten.
      return false;
    }
    return lane.queue().tryClaim(tail);
  }

  private Optional<Tail> tailOf(WatchedFile file) {
    return file.tail(lane.number());
  }

  /** Releases what {@link #tryClaimQuiet} has claimed. */
  public void release(WatchedFile file) {
    Optional<Tail> tail = tailOf(file);
    if (tail.isPresent()) {
      lane.queue().release(tail.get());
    }
  }

  /**
   * Has a file compared, and the archive told of its time, so that it may leave memory then. A look
   * that came before it was read could not ask for that.
   *
   * @param atOnce whether others need its memory
   */
  public void compareToLeave(WatchedFile file, boolean atOnce) {
    Optional<Tail> found = tailOf(file);
    if (found.isEmpty()) {
      return;
    }
    Tail tail = found.get();
    if (tail.work().atRiskBytes() > 0) {
      return;
    }
    if (tail.content().isFullyCompared()) {
      tellTime(tail, atOnce);
      return;
    }
    if (atOnce && tail.positionBytes() <= COMPARED_AT_ONCE_BYTES) {
      file.comparisons().want(tail);
    } else {
      tail.requestComparison();
    }
  }

  private void tellTime(Tail tail, boolean atOnce) {
    tail.tellTime(lane.clocks().nanos(), atOnce);
    if (tail.isResumed() && tail.stream().isUndescribed()) {
      lane.deliverer().describe(tail.stream());
    }
  }

  /** Returns whether the file has bytes that are at risk here, as far as is known. */
  public boolean hasAtRisk(WatchedFile file) {
    Optional<Tail> tail = tailOf(file);
    return tail.isPresent() && tail.get().work().atRiskBytes() > 0;
  }

  /** Returns whether the file has nothing at risk here, and nothing is done with it. */
  public boolean mayLeave(WatchedFile file) {
    Optional<Tail> tail = tailOf(file);
    return start.isConnected()
        && tail.isPresent()
        && tail.get().work().mayLeave()
        && !file.comparisons().needs(tail.get())
        && !lane.deliverer().isDescribing(tail.get().stream())
        && !lane.merger().isMerging(tail.get().stream());
  }

  /** Returns a hash of the file's attributes as the tail has last seen them. */
  public OptionalInt attributes(WatchedFile file) {
    Optional<Tail> tail = tailOf(file);
    return tail.isPresent() ? tail.get().attributes() : OptionalInt.empty();
  }

  /** Claims the file's tail; false when a worker has it. */
  public boolean tryClaim(WatchedFile file) {
    Optional<Tail> tail = tailOf(file);
    return tail.isPresent() && lane.queue().tryClaim(tail.get());
  }

  /**
   * Saves what the table does not know yet of claimed files.
   *
   * @param atOnce also what is to be written with what comes next
   */
  public void saveClaimed(Collection<WatchedFile> files, boolean atOnce) {
    List<StreamProgress> unsaved = new ArrayList<>();
    for (WatchedFile file : files) {
      Optional<Tail> tail = tailOf(file);
      if (tail.isPresent()) {
        StreamProgress stream = tail.get().stream();
        if (!stream.isCheckpointed() || (atOnce && !lane.saver().isSaved(stream))) {
          unsaved.add(stream);
        }
      }
    }
    if (!unsaved.isEmpty() && !lane.saver().isFailing()) {
      lane.saver().saveAll(unsaved);
    }
  }

  /** Returns whether the table knows all of the file. */
  public boolean isSaved(WatchedFile file) {
    Optional<Tail> tail = tailOf(file);
    if (tail.isEmpty()) {
      return false;
    }
    StreamProgress stream = tail.get().stream();
    return stream.isCheckpointed() && lane.saver().isSaved(stream);
  }

  /** Releases what {@link #tryClaim} has claimed; of a file that left memory, forgets the tail. */
  public void releaseClaimed(WatchedFile file, boolean left) {
    Tail tail = tailOf(file).orElseThrow();
    if (left) {
      tail.end();
      tail.stream().leave();
      lane.merger().leave(tail.stream());
      file.detach(tail);
    }
    lane.queue().release(tail);
  }

  /** Returns what is known of a file that may have left memory. */
  public Optional<Checkpoint> away(FileIdentity identity) throws IOException {
    return lane.known().away(identity);
  }

  /**
   * Returns the stream of a file that left memory, so that it comes back.
   *
   * @param arrivalNanos when the file came to its path
   */
  public StreamProgress streamOf(Checkpoint away, long arrivalNanos) throws IOException {
    return lane.known().comeBack(away, arrivalNanos);
  }

  /** Gives a file that is back in memory its tail again. */
  public void comeBack(WatchedFile file, StreamProgress stream) {
    lane.merger().comeBack(stream);
    Tail tail = Tail.comeBack(file, lane.number(), stream);
    lane.lookAgain(tail);
    expect.accept(tail);
    file.attach(tail); // Once its size was seen, as others ask what is at risk.
  }
}
