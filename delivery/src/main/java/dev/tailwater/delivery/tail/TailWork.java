package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteSum;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is left to do of a tail: what is to be read, and what is at risk until it is durable.
 * Thread-safe: it has the tail's lock.
 */
public final class TailWork {
  private final Tail tail;

  @GuardedBy("tail")
  private final ReadPosition read;

  @GuardedBy("tail")
  private final SeenSize seen;

  @GuardedBy("tail")
  private final TruncationCheck truncation;

  @GuardedBy("tail")
  private final ReadContent content;

  TailWork(
      Tail tail,
      ReadPosition read,
      SeenSize seen,
      TruncationCheck truncation,
      ReadContent content) {
    this.tail = tail;
    this.read = read;
    this.seen = seen;
    this.truncation = truncation;
    this.content = content;
  }

  /** Returns whether there is something for a worker to do. */
  public boolean isAny() {
    synchronized (tail) {
      return !tail.isEnded()
          && (truncation.isPending()
              || !read.isResumed()
              || unreadBytes() > 0
              || hasRewritten()
              || (seen.bytes() == 0 && !read.stream().isEmptyNoted()));
    }
  }

  /** Returns since when there is something to be read: unread or replaced bytes. */
  public OptionalLong sinceNanos() {
    synchronized (tail) {
      OptionalLong unread = seen.unreadSinceNanos();
      OptionalLong replaced = read.stream().blocks().rewrittenSinceNanos();
      return replaced.isPresent()
              && (unread.isEmpty() || replaced.getAsLong() - unread.getAsLong() < 0)
          ? replaced
          : unread;
    }
  }

  /** Returns how many bytes have been seen in the file and not been read. */
  public long unreadBytes() {
    synchronized (tail) {
      return seen.unreadBytes(read.bytes());
    }
  }

  /** Returns when the oldest unread byte was seen; empty when there is none. */
  public OptionalLong unreadSinceNanos() {
    synchronized (tail) {
      return seen.unreadSinceNanos();
    }
  }

  /** Returns whether bytes of it were replaced, and the new ones wait to be read. */
  public boolean hasRewritten() {
    synchronized (tail) {
      return read.stream().blocks().hasRewritten();
    }
  }

  /** Returns how many bytes of it were replaced, and the new ones wait to be read. */
  public long rewrittenBytes() {
    synchronized (tail) {
      return read.stream().blocks().rewrittenBytes();
    }
  }

  /** Returns whether there is {@linkplain #isAny no work}, and nothing is at risk. */
  public boolean isDone() {
    synchronized (tail) {
      return !isAny() && atRiskBytes() == 0;
    }
  }

  /**
   * Returns whether all {@linkplain #isDone is done}, and neither a {@linkplain
   * TailContent#isSuspectedOfChange look} nor a {@linkplain TailContent#awaitsComparison()
   * comparison} is to come: while the file is closed, none is.
   */
  public boolean isDoneForGood() {
    synchronized (tail) {
      boolean lookFollows = tail.content().isSuspectedOfChange() && tail.file().isOpen();
      return isDone() && !lookFollows && !tail.content().awaitsComparison();
    }
  }

  /**
   * Returns whether the file has nothing at risk, and its stream says all that is known of it, so
   * that a tail that {@linkplain Tail#comeBack comes back} knows as much.
   */
  public boolean mayLeave() {
    synchronized (tail) {
      return !tail.isEnded()
          && read.mayLeave()
          && isDone()
          && content.mayLeave()
          && seen.bytes() == read.bytes()
          && read.stream().attributes().place().equals(tail.file().archivedPlace())
          && read.stream().mayLeave();
    }
  }

  /** Returns the present stream, if it has all that the file is known to hold. */
  public Optional<StreamId> completeStream() {
    synchronized (tail) {
      return read.isIdentified()
              && isDone()
              && tail.content().isSettled()
              && !tail.content().isChangedInPlace()
          ? Optional.of(read.stream().id())
          : Optional.empty();
    }
  }

  /** Returns how many bytes have been written and are not durable at the destination. */
  public long atRiskBytes() {
    synchronized (tail) {
      StreamProgress stream = read.stream();
      return ByteSum.of(
          Math.max(0, seen.bytes() - stream.durableBytes()), stream.blocks().revisingBytes());
    }
  }

  /** Returns what is at risk, all of the same moment. */
  public AtRisk atRisk() {
    synchronized (tail) {
      return new AtRisk(read.stream(), seen.bytes(), atRiskBytes());
    }
  }

  /**
   * What of a file is at risk, all of the same moment. Asked for one after the other, they are not:
   * a size that is seen later makes more of the file durable than is.
   *
   * @param stream the present one
   * @param sizeBytes the largest size that the file was seen with in this stream
   * @param bytes how many have been written and are not durable at the destination
   */
  public record AtRisk(StreamProgress stream, long sizeBytes, long bytes) {
    public long durableBytes() {
      return Math.max(0, sizeBytes - bytes);
    }
  }
}
