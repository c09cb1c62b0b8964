package dev.tailwater.delivery.keeper;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.ForgottenFiles;
import dev.tailwater.delivery.pack.EpochBound;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.StreamNames;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.time.Clocks;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Chooses the stream that a file is at, for a destination that begins with it: one from an earlier
 * run, the one that other destinations have, or a new one. Used by the watch thread only.
 */
final class StreamChoice {
  /** How far the clock of a file system may be from this machine's. */
  private static final long CLOCKS_MILLIS = TimeUnit.SECONDS.toMillis(2);

  private final KnownStreams known;
  private final Clocks clocks;
  private final long begunMillis;

  private ForgottenFiles forgotten = ForgottenFiles.NONE;

  StreamChoice(KnownStreams known, Clocks clocks) {
    this.known = known;
    this.clocks = clocks;
    this.begunMillis = clocks.millis();
  }

  /** Says which files earlier runs may have known. */
  void forgot(ForgottenFiles files) {
    forgotten = files;
  }

  /**
   * Returns whether a file may have been there before this run, for all that its first scan did not
   * open it: it had to wait for a descriptor, or was out of sight.
   */
  boolean mayBeOlder(WatchedFile file) {
    OptionalLong birthNanos = file.identity().birthTimeNanos();
    return birthNanos.isEmpty()
        || TimeUnit.NANOSECONDS.toMillis(birthNanos.getAsLong()) < begunMillis + CLOCKS_MILLIS;
  }

  /** Takes the stream of an earlier run that the file was at, if there is one. */
  Optional<StreamProgress> claimKnown(WatchedFile file) throws IOException {
    return known.claim(file.identity(), file.archivedName());
  }

  /** Returns the stream of a file that no earlier run knew. */
  StreamProgress ofNewFile(WatchedFile file) {
    return elsewhere(file).orElseGet(() -> first(file));
  }

  /**
   * Returns the stream of a file that was found before the destination could be asked, and that the
   * destination does not know.
   */
  StreamProgress ofTail(Tail tail) {
    WatchedFile file = tail.file();
    Optional<StreamProgress> chosen = tail.isShrunk() ? beforeTruncation(file) : elsewhere(file);
    return chosen.orElseGet(() -> isOfThisState(tail.stream()) ? tail.stream() : first(file));
  }

  /**
   * Begins the first stream of a file. One that may have been forgotten gets one that no earlier
   * run can have used: the archive may hold other bytes under the names of those.
   */
  private StreamProgress first(WatchedFile file) {
    return begun(file, StreamId.of(known.agent(), file.identity(), firstEpoch(file)));
  }

  private int firstEpoch(WatchedFile file) {
    int epoch = known.firstEpoch();
    return forgotten.mayHave(file.identity())
        ? Math.max(epoch, EpochBound.ofNewStreams(begunMillis))
        : epoch;
  }

  /** Returns whether this destination can hold nothing else under the name of the stream. */
  private boolean mayHave(WatchedFile file, StreamProgress stream) {
    return stream.id().epoch() >= firstEpoch(file);
  }

  private boolean isOfThisState(StreamProgress stream) {
    return stream.id().epoch() >= known.firstEpoch();
  }

  /** Returns the stream that other destinations have, or will have when they look at the file. */
  private Optional<StreamProgress> elsewhere(WatchedFile file) {
    long nowMillis = clocks.millis();
    return StreamNames.present(file)
        .filter(stream -> mayHave(file, stream))
        .map(stream -> StreamProgress.sameAs(stream, file.archivedName(), nowMillis))
        .or(
            () ->
                StreamNames.latest(file)
                    .filter(stream -> mayHave(file, stream))
                    .map(over -> over.id().withEpoch(over.id().epoch() + 1))
                    .map(next -> begun(file, next)));
  }

  /**
   * Returns the stream, as other destinations have it, that was truncated before this destination
   * could be asked: its end, and what is lost of it here, must be recorded under that name.
   */
  private Optional<StreamProgress> beforeTruncation(WatchedFile file) {
    return StreamNames.present(file)
        .filter(stream -> stream.id().epoch() > firstEpoch(file))
        .map(stream -> begun(file, stream.id().withEpoch(stream.id().epoch() - 1)))
        .or(
            () ->
                StreamNames.latest(file)
                    .filter(stream -> mayHave(file, stream))
                    .map(
                        stream ->
                            StreamProgress.sameAs(stream, file.archivedName(), clocks.millis())));
  }

  private StreamProgress begun(WatchedFile file, StreamId id) {
    return StreamProgress.begin(
        known.agent(), file.identity(), id, file.archivedName(), clocks.millis());
  }
}
