package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Finds out how far a running agent has delivered a file. Thread-safe. */
record FileSurvey(FileCalls calls, Assembly.Stages stages) {
  /** How long a question waits for the comparison that answers it. */
  private static final long COMPARING_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** How long the watch may take to bring a quiet file back to memory. */
  private static final long RECALL_MILLIS = 3_000;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Opens the file to see which one the path leads to, and returns how far it is delivered. */
  FileDelivery status(PosixPath path) throws IOException {
    Optional<TailOpener.Opened> opened = TailOpener.following(calls).open(path);
    if (opened.isEmpty()) {
      throw new IOException(path + " is not a file");
    }
    try (Descriptor open = opened.get().descriptor()) {
      long sizeBytes = opened.get().status().sizeBytes();
      List<FileDelivery.AtDestination> destinations = new ArrayList<>();
      Optional<String> stream = Optional.empty();
      Optional<WatchedFile> file = find(opened.get().identity());
      // All of one moment: as soon as it is quiet, the file may leave memory again.
      List<Tail> tails = file.map(f -> List.copyOf(f.tails())).orElse(List.of());
      compare(tails);
      FileDelivery.Change change = FileDelivery.Change.NONE;
      for (Lane lane : stages.lanes()) {
        Optional<Tail> tail = tails.stream().filter(t -> t.lane() == lane.number()).findFirst();
        stream = stream.or(() -> tail.map(t -> t.stream().id().text()));
        if (lane.isRequired() && tail.isPresent()) {
          change = worse(change, change(tail.get(), opened.get().status()));
        }
        destinations.add(
            new FileDelivery.AtDestination(
                lane.name(),
                lane.isRequired(),
                tail.isPresent() ? durableBytes(tail.get(), open) : 0));
      }
      return stream.isPresent()
          ? FileDelivery.of(path.toString(), stream.get(), sizeBytes, change, destinations)
          : FileDelivery.unknown(path.toString(), sizeBytes);
    }
  }

  /** Returns the file, which is in memory then; empty when it is not known, or that takes long. */
  private Optional<WatchedFile> find(FileIdentity identity) throws IOException {
    Optional<WatchedFile> file = stages.files().find(identity);
    if (file.isEmpty()) {
      try {
        stages.watch().recall(identity).get(RECALL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException | CancellationException | TimeoutException e) {
        return Optional.empty();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
      file = stages.files().find(identity);
    }
    return file;
  }

  /** Has the file compared, if need be, and waits for that a moment. */
  private void compare(List<Tail> tails) {
    long untilNanos = System.nanoTime() + COMPARING_NANOS;
    for (Tail tail : tails) {
      if (tail.awaitsComparison() && tail.atRiskBytes() == 0) {
        stages.comparer().want(tail);
        while (tail.awaitsComparison() && System.nanoTime() - untilNanos < 0) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
      }
    }
  }

  private static FileDelivery.Change change(Tail tail, FileStatus status) {
    if (tail.isChangedInPlace()) {
      return FileDelivery.Change.CHANGED_IN_PLACE;
    }
    boolean seen = tail.wasSeenWith(status) && !tail.isSuspectedOfChange() && tail.isCompared();
    return seen ? FileDelivery.Change.NONE : FileDelivery.Change.SUSPECTED;
  }

  private static FileDelivery.Change worse(FileDelivery.Change one, FileDelivery.Change other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * Returns how many bytes of the file as it is now are durable: none if it was truncated and
   * nobody has noticed yet.
   */
  private static long durableBytes(Tail tail, Descriptor open) throws IOException {
    StreamProgress.Durable durable = tail.stream().durable();
    Optional<Marker> marker = durable.marker();
    boolean same =
        marker.isPresent()
            ? marker.get().matches(open.calls(), open.fd(), durable.bytes())
            : tail.isResumed() && open.calls().fstat(open.fd()).sizeBytes() >= durable.bytes();
    return same ? durable.bytes() : 0;
  }
}
