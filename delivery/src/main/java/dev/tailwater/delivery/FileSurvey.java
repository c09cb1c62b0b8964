package dev.tailwater.delivery;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Finds out how far a running agent has delivered a file. Thread-safe. */
record FileSurvey(FileCalls calls, Assembly.Stages stages) {
  /** How long a question waits for the comparison that answers it. */
  private static final long COMPARING_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** How long the watch may take to have looked at all files, or to bring one back to memory. */
  private static final long WATCH_MILLIS = 3_000;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Opens the file to see which one the path leads to, and returns how far it is delivered. */
  FileDelivery status(PosixPath path) throws IOException {
    TailOpener opener = TailOpener.following(calls);
    Optional<TailOpener.Opened> opened = opener.open(path);
    if (opened.isEmpty()) {
      throw noFile(opener, path);
    }
    try (Descriptor open = opened.get().descriptor()) {
      long sizeBytes = opened.get().status().sizeBytes();
      List<FileDelivery.AtDestination> destinations = new ArrayList<>();
      Optional<String> stream = Optional.empty();
      Optional<Known> file = find(opened.get().identity());
      List<Tail> tails = file.map(Known::tails).orElse(List.of());
      compare(tails);
      FileDelivery.Change change =
          file.isEmpty() || isNamed(file.get().file(), path)
              ? FileDelivery.Change.NONE
              : FileDelivery.Change.RENAMED;
      for (Lane lane : stages.lanes()) {
        Optional<Tail> tail = tails.stream().filter(t -> t.lane() == lane.number()).findFirst();
        Optional<StreamProgress> present = tail.map(Tail::stream);
        stream = stream.or(() -> present.map(of -> of.id().text()));
        if (lane.isRequired() && tail.isPresent()) {
          change = worse(change, change(tail.get(), opened.get().status()));
        }
        destinations.add(
            new FileDelivery.AtDestination(
                lane.name(),
                lane.isRequired(),
                tail.isPresent() ? durableBytes(tail.get(), present.get(), open) : 0));
      }
      return stream.isPresent()
          ? FileDelivery.of(path.toString(), stream.get(), sizeBytes, change, destinations)
          : FileDelivery.unknown(path.toString(), sizeBytes);
    }
  }

  /** Returns the failure for a path that leads to no regular file. */
  static IOException noFile(TailOpener opener, PosixPath path) throws IOException {
    return new IOException(
        opener.isOther(path) ? path + " is not a regular file" : path + ": there is no such file");
  }

  /** A file and its tails, all of one moment: as soon as it is quiet, it may leave memory. */
  private record Known(WatchedFile file, List<Tail> tails) {
    static Known now(WatchedFile file) {
      return new Known(file, List.copyOf(file.tails()));
    }
  }

  /** Returns the file; empty when it is not known, or the watch takes long to bring it back. */
  private Optional<Known> find(FileIdentity identity) {
    CompletableFuture<Void> firstLook = stages.watch().firstLook();
    boolean early = !firstLook.isDone();
    Optional<Known> known = findNow(identity);
    // An agent that has just started has not seen most of its files yet.
    return known.isEmpty() && early && isDoneSoon(firstLook) ? findNow(identity) : known;
  }

  private Optional<Known> findNow(FileIdentity identity) {
    Optional<Known> known = stages.files().find(identity).map(Known::now);
    if (known.filter(file -> file.tails().size() == stages.lanes().size()).isPresent()) {
      return known;
    }
    AtomicReference<@Nullable Known> recalled = new AtomicReference<>();
    return isDoneSoon(stages.watch().recall(identity, file -> recalled.set(Known.now(file))))
        ? Optional.ofNullable(recalled.get())
        : known;
  }

  private static boolean isDoneSoon(CompletableFuture<Void> ofTheWatch) {
    try {
      ofTheWatch.get(WATCH_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | CancellationException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Has the file compared, if need be, and waits for that a moment. */
  private void compare(List<Tail> tails) {
    long untilNanos = System.nanoTime() + COMPARING_NANOS;
    for (Tail tail : tails) {
      tail.content().compareIfWrittenUnseen();
      if (tail.content().awaitsComparison() && tail.work().atRiskBytes() == 0) {
        stages.comparer().want(tail);
        while (tail.content().awaitsComparison() && System.nanoTime() - untilNanos < 0) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
      }
    }
  }

  private static FileDelivery.Change change(Tail tail, FileStatus status) {
    if (tail.content().isChangedInPlace()) {
      return FileDelivery.Change.CHANGED_IN_PLACE;
    }
    if (!tail.content().isUnchangedSince(status)) {
      return FileDelivery.Change.SUSPECTED;
    }
    boolean isThere = tail.stream().isInArchive() && tail.stream().isPlaceTold();
    return isThere ? FileDelivery.Change.NONE : FileDelivery.Change.RENAMED;
  }

  /**
   * Returns whether the name under which the file is archived still leads to it; otherwise the
   * watch has not noticed yet that it was renamed.
   *
   * @param path that leads to it now
   */
  private boolean isNamed(WatchedFile file, PosixPath path) throws IOException {
    PosixPath name = file.name();
    if (name.equals(path)) {
      return true;
    }
    Optional<TailOpener.Opened> opened = TailOpener.following(calls).open(name);
    if (opened.isEmpty()) {
      return false;
    }
    try (Descriptor _ = opened.get().descriptor()) {
      return opened.get().identity().equals(file.identity());
    }
  }

  private static FileDelivery.Change worse(FileDelivery.Change one, FileDelivery.Change other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * Returns how many bytes of the file as it is now are durable: none if it was truncated and
   * nobody has noticed yet.
   */
  private static long durableBytes(Tail tail, StreamProgress stream, Descriptor open)
      throws IOException {
    StreamProgress.Durable durable = stream.durable();
    Optional<Marker> marker = durable.marker();
    boolean same =
        marker.isPresent()
            ? marker.get().matches(open.calls(), open.fd(), durable.bytes())
            : tail.isResumed()
                && tail.stream() == stream // Or the next one is resumed, of which this is not told.
                && open.calls().fstat(open.fd()).sizeBytes() >= durable.bytes();
    return same ? durable.bytes() : 0;
  }
}
