package dev.tailwater.delivery.tail;

import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.posix.ErrnoException;
import java.util.Optional;

/**
 * The names of a file's streams across destinations. A destination that begins with a file late, or
 * learns of several truncations at once, uses the name that the others use. So they are in step,
 * and one sealing serves all; and no two archives use one name for different bytes.
 */
public final class StreamNames {
  private StreamNames() {}

  /**
   * Returns the stream after the most truncations that any of the file's tails is at; empty when
   * none is identified.
   */
  public static Optional<StreamProgress> latest(WatchedFile file) {
    return latestTail(file).map(Tail::stream);
  }

  /**
   * Returns that stream, if the file is still at it: the bytes before the tail's position are in
   * it.
   */
  public static Optional<StreamProgress> present(WatchedFile file) {
    return latestTail(file).filter(tail -> isPresent(tail, file)).map(Tail::stream);
  }

  private static Optional<Tail> latestTail(WatchedFile file) {
    Optional<Tail> latest = Optional.empty();
    for (Tail tail : file.tails()) {
      boolean later =
          latest.isEmpty() || tail.stream().id().epoch() > latest.get().stream().id().epoch();
      if (tail.isIdentified() && later) {
        latest = Optional.of(tail);
      }
    }
    return latest;
  }

  private static boolean isPresent(Tail tail, WatchedFile file) {
    Optional<Position> known = tail.lastKnownPosition();
    Optional<SharedDescriptor.Lease> lease = file.lease();
    if (lease.isEmpty()) {
      return false;
    }
    try (SharedDescriptor.Lease open = lease.get()) {
      return !tail.isShrunk()
          && known.isPresent()
          && known.get().marker().matches(open.calls(), open.fd(), known.get().bytes());
    } catch (ErrnoException e) {
      return false; // Reading the file reports that it cannot be read.
    }
  }
}
