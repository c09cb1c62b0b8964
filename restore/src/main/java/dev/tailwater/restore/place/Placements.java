package dev.tailwater.restore.place;

import dev.tailwater.archive.RangeSet;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.attribute.KnownAttributes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The results of the pieces of one file. For one thread. */
final class Placements {
  private final RangeSet placed = new RangeSet();
  private List<PieceResult.Lost> lost = List.of();
  private final KnownAttributes attributes;
  private @Nullable Throwable failure;

  /**
   * @param attributes what is known before anything is opened
   */
  Placements(KnownAttributes attributes) {
    this.attributes = attributes;
  }

  /** Waits for a piece, whatever happens; a failure is kept until {@link #lost}. */
  void take(Future<PieceResult> future) {
    boolean interrupted = false;
    for (boolean done = false; !done; ) {
      try {
        add(future.get());
        done = true;
      } catch (InterruptedException e) {
        interrupted = true;
        fail(new InterruptedIOException("interrupted"));
      } catch (ExecutionException e) {
        fail(e.getCause());
        done = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes the result of a piece; a failure is kept until {@link #lost}. */
  void add(PieceResult result) {
    switch (result) {
      case PieceResult.Placed one -> {
        placed.add(one.piece().range());
        attributes.add(one.header());
      }
      case PieceResult.Lost one -> {
        if (lost.isEmpty()) { // As of nearly all files.
          lost = new ArrayList<>();
        }
        lost.add(one);
      }
      case PieceResult.Unreadable one -> fail(StreamFailure.unreadable(one.why()));
      case PieceResult.Unwritable one ->
          fail(
              new StreamFailure(
                  RestoreResult.FAILED, TargetFailures.explained(one.why()), one.why()));
    }
  }

  private void fail(@Nullable Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  boolean failed() {
    return failure != null;
  }

  /** The pieces that were lost since this was asked last; throws the first failure there was. */
  List<PieceResult.Lost> lost() throws StreamFailure, IOException {
    if (failure instanceof StreamFailure e) {
      throw e;
    }
    Jobs.rethrow(failure);
    List<PieceResult.Lost> since = lost;
    lost = List.of();
    return since;
  }

  /** The bytes of the stream that the file has. */
  RangeSet placed() {
    return placed;
  }

  KnownAttributes attributes() {
    return attributes;
  }
}
