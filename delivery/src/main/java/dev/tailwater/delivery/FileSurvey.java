package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.Checkpoint;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Finds out how far a running agent has delivered a file. Thread-safe. */
record FileSurvey(FileCalls calls, Assembly.Stages stages) {
  /** How long a question waits for the comparison that answers it. */
  private static final long COMPARING_NANOS = TimeUnit.SECONDS.toNanos(3);

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
      Optional<WatchedFile> file = stages.files().find(opened.get().identity());
      if (file.isEmpty()) {
        return awayFile(path, opened.get());
      }
      compare(file.get());
      FileDelivery.Change change = FileDelivery.Change.NONE;
      for (Lane lane : stages.lanes()) {
        Optional<Tail> tail = file.flatMap(f -> f.tail(lane.number()));
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
          : awayFile(path, opened.get()); // It may have left memory meanwhile.
    }
  }

  /** Returns how far a file is delivered that is not in memory, as the table of files says. */
  private FileDelivery awayFile(PosixPath path, TailOpener.Opened opened) throws IOException {
    List<FileDelivery.AtDestination> destinations = new ArrayList<>();
    Optional<String> stream = Optional.empty();
    FileDelivery.Change change = FileDelivery.Change.NONE;
    for (Lane lane : stages.lanes()) {
      // Before the first scan is complete, nobody has looked at what earlier runs knew.
      Optional<Checkpoint> known =
          stages.watch().firstScan().isDone()
              ? lane.awayFile(opened.identity())
              : Optional.empty();
      stream = stream.or(() -> known.map(checkpoint -> checkpoint.origin().id().text()));
      if (lane.isRequired() && known.isPresent()) {
        change = worse(change, change(known.get(), opened.status()));
      }
      destinations.add(
          new FileDelivery.AtDestination(
              lane.name(),
              lane.isRequired(),
              known.isPresent()
                  ? DeliveredBefore.durableBytes(known.get(), opened.descriptor())
                  : 0));
    }
    long sizeBytes = opened.status().sizeBytes();
    return stream.isPresent()
        ? FileDelivery.of(path.toString(), stream.get(), sizeBytes, change, destinations)
        : FileDelivery.unknown(path.toString(), sizeBytes);
  }

  private static FileDelivery.Change change(Checkpoint checkpoint, FileStatus status) {
    if (checkpoint.changedInPlace()) {
      return FileDelivery.Change.CHANGED_IN_PLACE;
    }
    boolean seen = checkpoint.seen().modificationTimeNanos() == status.modificationTimeNanos();
    return seen && !checkpoint.rewriting().uncompared()
        ? FileDelivery.Change.NONE
        : FileDelivery.Change.SUSPECTED;
  }

  /** Has the file compared, if need be, and waits for that a moment. */
  private void compare(WatchedFile file) {
    long untilNanos = System.nanoTime() + COMPARING_NANOS;
    for (Tail tail : file.tails()) {
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
