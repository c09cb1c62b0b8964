package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.RememberedFiles;
import dev.tailwater.delivery.checkpoint.RememberedState;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is at risk while no agent runs: the checkpoints of the last run compared with the files as
 * they are now. Files that were created since are not known.
 */
public final class OfflineStatus {
  private final TailOpener opener;
  private final RememberedState state;

  private final ArchivedNames names;

  private OfflineStatus(TailOpener opener, RememberedState state) throws IOException {
    this.opener = opener;
    this.state = state;
    this.names =
        new ArchivedNames(
            state.moved().stream()
                .map(moved -> new ArchivedNames.Moved(moved.here(), moved.there()))
                .toList());
  }

  /**
   * Reads a state directory; empty when no agent has used it yet.
   *
   * @throws IOException when the state cannot be read, or an agent is using it
   */
  public static Optional<OfflineStatus> read(FileCalls calls, PosixPath stateDirectory)
      throws IOException {
    Optional<RememberedState> state = RememberedState.ofLatestRun(calls, stateDirectory);
    return state.isPresent()
        ? Optional.of(new OfflineStatus(TailOpener.following(calls), state.get()))
        : Optional.empty();
  }

  /**
   * Returns the status of all files that the last run knew.
   *
   * @throws IOException when the files cannot be looked at, or that run had not seen them all
   */
  public StatusReport report() throws IOException {
    for (RememberedState.Target destination : state.targets()) {
      if (destination.required() && !destination.looked()) {
        throw new IOException(
            "the state does not say that the last agent had looked at every file: it died before, or"
                + " could not write that, as on a full disk. What is at risk is not known. Hint:"
                + " make room in the state directory if it is full, and start the agent again;"
                + " 'tailwater status' asks it then");
      }
    }
    return state.read(
        files -> {
          OfflineSurvey survey = new OfflineSurvey(opener, names, this::delivery, files);
          for (RememberedFiles destination : files) {
            survey.addAll(destination);
          }
          return survey.report(state.targets());
        });
  }

  /**
   * Returns how far a file is delivered, as the last run left it; without a stream when the path
   * does not lead to a file that it knew.
   *
   * @throws IOException when the file or the state cannot be read
   */
  public FileDelivery file(PosixPath path) throws IOException {
    Optional<TailOpener.Opened> opened = opener.open(path);
    if (opened.isEmpty()) {
      throw FileSurvey.noFile(opener, path);
    }
    try (Descriptor _ = opened.get().descriptor()) {
      return state.read(
          files -> {
            List<List<Checkpoint>> streams = new ArrayList<>();
            for (RememberedFiles destination : files) {
              streams.add(destination.find(opened.get().identity()));
            }
            return delivery(path, opened.get(), streams);
          });
    }
  }

  private FileDelivery delivery(
      PosixPath path, TailOpener.Opened opened, List<List<Checkpoint>> streams) throws IOException {
    long sizeBytes = opened.status().sizeBytes();
    Optional<String> stream = Optional.empty();
    List<FileDelivery.AtDestination> at = new ArrayList<>();
    FileDelivery.Change change = FileDelivery.Change.NONE;
    for (int i = 0; i < streams.size(); i++) {
      RememberedState.Target destination = state.targets().get(i);
      Optional<Checkpoint> last = RememberedFiles.last(streams.get(i));
      stream = stream.or(() -> last.map(checkpoint -> checkpoint.origin().id().text()));
      if (destination.required() && last.isPresent()) {
        change = worse(change, change(last.get(), path, opened));
      }
      at.add(
          new FileDelivery.AtDestination(
              destination.uri(),
              destination.required(),
              last.isPresent()
                  ? DeliveredBefore.durableBytes(last.get(), opened.descriptor())
                  : 0));
    }
    return stream.isPresent()
        ? FileDelivery.of(path.toString(), stream.get(), sizeBytes, change, at)
        : FileDelivery.unknown(path.toString(), sizeBytes);
  }

  private FileDelivery.Change change(
      Checkpoint checkpoint, PosixPath path, TailOpener.Opened opened) throws IOException {
    if (isChanged(checkpoint, opened.status())) {
      return FileDelivery.Change.CHANGED_IN_PLACE;
    }
    Checkpoint.Rewriting rewriting = checkpoint.rewriting();
    if (rewriting.uncompared() && !rewriting.onceMore()) {
      return FileDelivery.Change.SUSPECTED;
    }
    PosixPath seen = checkpoint.seen().path();
    boolean isNamed = seen.equals(names.archived(path)) || isAt(names.here(seen), opened);
    // Of an empty file, the archive has nothing but a record.
    boolean isInArchive = checkpoint.durable().bytes() > 0 || checkpoint.recorded().described();
    return isInArchive && isNamed && seen.equals(checkpoint.recorded().path())
        ? FileDelivery.Change.NONE
        : FileDelivery.Change.RENAMED;
  }

  /** Returns whether the file has this name too. */
  private boolean isAt(PosixPath name, TailOpener.Opened file) throws IOException {
    Optional<TailOpener.Opened> opened = opener.open(name);
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
   * Returns whether the last run found a change, or the file was written since but has not grown.
   */
  private static boolean isChanged(Checkpoint checkpoint, FileStatus status) {
    StreamProgress stream = StreamProgress.resume(checkpoint);
    OptionalLong time = stream.timeOfDurableBytes();
    return checkpoint.changedInPlace()
        || (checkpoint.durable().bytes() == status.sizeBytes()
            && checkpoint.durable().bytes() > checkpoint.durable().marker().lengthBytes()
            && time.isPresent()
            && time.getAsLong() != status.modificationTimeNanos());
  }
}
