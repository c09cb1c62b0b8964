package dev.tailwater.restore.place;

import dev.tailwater.archive.RangeSet;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.name.TargetPath.UnsafePathException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Attempts at streams: what a failure means for the stream, and for the rest of the run. One stream
 * that fails does not stop the others, but a full disk does. Thread-safe.
 */
final class StreamAttempts {
  private static final String LOCKED_HINT =
      "--identity FILE must hold the private key of one of its recipients";

  private final AtomicReference<@Nullable String> stopped = new AtomicReference<>();

  /** Whether a file failed that a later run may be able to restore. */
  private volatile boolean toBeContinued;

  /** The work on one stream; returns nothing where more is to be done. */
  interface Work {
    Optional<RestoredStream> at(TargetPath target)
        throws StreamFailure, IOException, InterruptedException;
  }

  /** Tells where a file goes. */
  interface Place {
    TargetPath get() throws UnsafePathException;
  }

  /**
   * Returns if more can be written to the target.
   *
   * @throws StreamFailure nothing else will succeed either
   */
  void requireUsableTarget() throws StreamFailure {
    String why = stopped.get();
    if (why != null) {
      throw StreamFailure.notTried(why);
    }
  }

  /** Returns whether a file failed that a later run may be able to restore. */
  boolean isToBeContinued() {
    return toBeContinued;
  }

  /**
   * Tries to do something with a stream.
   *
   * @return what has come of it; empty where more is to be done
   * @throws InterruptedIOException the thread was interrupted
   */
  Optional<RestoredStream> attempt(ArchivedStream stream, Place place, Work work)
      throws InterruptedIOException {
    Optional<TargetPath> where = Optional.empty();
    try {
      TargetPath target = place.get();
      where = Optional.of(target);
      return work.at(target);
    } catch (UnsafePathException e) {
      String why = e.getMessage() + ". Hint: tailwater cat prints the stream's bytes by its id";
      return Optional.of(failed(stream, where, new StreamFailure(RestoreResult.FAILED, why, null)));
    } catch (StreamFailure e) {
      noteFailure(e.getCause());
      return Optional.of(
          e.result == RestoreResult.LOCKED ? locked(stream) : failed(stream, where, e));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      noteFailure(e);
      return Optional.of(
          failed(
              stream,
              where,
              new StreamFailure(RestoreResult.FAILED, TargetFailures.explained(e), e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private void noteFailure(@Nullable Throwable cause) {
    if (cause != null && (!(cause instanceof ErrnoException e) || TargetFailures.mayPass(e))) {
      toBeContinued = true; // Never false again, whatever other threads find.
    }
    if (cause instanceof ErrnoException e && TargetFailures.isUnusable(e)) {
      stopped.compareAndSet(null, ErrnoException.messageForUser(e));
    }
  }

  /** Returns the result for a stream that no identity opens. */
  static RestoredStream locked(ArchivedStream stream) {
    return new RestoredStream(
        stream.agent(),
        stream.id(),
        stream.path(),
        Optional.empty(),
        RestoreResult.LOCKED,
        0,
        stream.openGaps(),
        stream.missing(),
        stream.damages(),
        Optional.of("no identity opens it. Hint: " + LOCKED_HINT),
        RestoredStream.Obstacle.NONE);
  }

  private static RestoredStream failed(
      ArchivedStream stream, Optional<TargetPath> where, StreamFailure why) {
    return new RestoredStream(
        stream.agent(),
        stream.id(),
        stream.path(),
        where.map(TargetPath::relative),
        why.result,
        0,
        stream.openGaps(),
        why.isMissing ? stream.missingWhere(new RangeSet()) : stream.missing(),
        Stream.concat(stream.damages().stream(), stream.refusals().stream()).toList(),
        Optional.of(String.valueOf(why.getMessage())),
        why.obstacle);
  }
}
