package dev.tailwater.cli.ship;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.route.LateDestination;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.TransientDestinationException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The opening of a destination on a thread of its own, because a call to a file server that is away
 * may hang until it is back. Waiting for it can be interrupted. Thread-safe.
 */
final class BackgroundOpening implements LateDestination.Opening {
  private final URI uri;
  private final LateDestination.Opening opening;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Destination> underWay;

  BackgroundOpening(URI uri, LateDestination.Opening opening) {
    this.uri = uri;
    this.opening = opening;
  }

  /** Begins to open the destination, and returns at once. */
  void begin() {
    var _ = attempt();
  }

  /** Returns the attempt that is under way or has succeeded, or begins one. */
  private synchronized CompletableFuture<Destination> attempt() {
    if (underWay == null) {
      CompletableFuture<Destination> attempt = new CompletableFuture<>();
      Thread.ofPlatform().name("open " + uri.getScheme()).daemon(true).start(() -> run(attempt));
      underWay = attempt;
    }
    return underWay;
  }

  private void run(CompletableFuture<Destination> attempt) {
    try {
      attempt.complete(opening.open());
    } catch (DestinationException | RuntimeException | Error e) {
      attempt.completeExceptionally(e); // Whoever waits throws it.
    }
  }

  private synchronized void forgetFailed() {
    if (underWay != null && underWay.isCompletedExceptionally()) {
      underWay = null;
    }
  }

  /** Waits until it is open, for as long as that takes. */
  @Override
  public Destination open() throws DestinationException {
    CompletableFuture<Destination> attempt = attempt();
    try {
      return attempt.get();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientDestinationException(
          uri,
          "open",
          "",
          "it had not answered when the agent was stopped",
          "The bytes stay at risk; the next start delivers them.");
    }
  }

  /**
   * Waits until a time of {@link System#nanoTime} at most; returns empty if it is not open by then.
   */
  Optional<Destination> open(long deadlineNanos)
      throws DestinationException, InterruptedIOException {
    CompletableFuture<Destination> attempt = attempt();
    try {
      long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
      return Optional.of(attempt.get(leftNanos, TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + uri + " was opened");
    }
  }

  private DestinationException failure(ExecutionException failed) {
    forgetFailed();
    return switch (failed.getCause()) {
      case DestinationException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> throw new IllegalStateException(failed);
    };
  }

  /** Closes the destination if it is open, or as soon as it is. */
  synchronized void abandon() {
    if (underWay != null) {
      var _ = underWay.thenAccept(BackgroundOpening::close);
    }
  }

  private static void close(Destination unwanted) {
    try {
      unwanted.close();
    } catch (DestinationException e) {
      // The start has failed for another reason, which the user is told. Nothing was put.
    }
  }
}
