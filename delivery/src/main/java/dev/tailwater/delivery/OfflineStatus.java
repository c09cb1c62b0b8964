package dev.tailwater.delivery;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.LatestCheckpoints;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is at risk while no agent runs: the checkpoints of the last run compared with the files as
 * they are now. Files that were created since are not known.
 */
public final class OfflineStatus {
  private final TailOpener opener;
  private final List<LatestCheckpoints> destinations;
  private final List<Map<FileIdentity, Checkpoint>> byIdentity = new ArrayList<>();

  private OfflineStatus(TailOpener opener, List<LatestCheckpoints> destinations) {
    this.opener = opener;
    this.destinations = destinations;
    for (LatestCheckpoints destination : destinations) {
      byIdentity.add(DeliveredBefore.byIdentity(destination));
    }
  }

  /**
   * Reads a state directory; empty when no agent has used it yet.
   *
   * @throws IOException when the state cannot be read, or an agent is using it
   */
  public static Optional<OfflineStatus> read(FileCalls calls, PosixPath stateDirectory)
      throws IOException {
    List<LatestCheckpoints> latest = LatestCheckpoints.read(calls, stateDirectory);
    return latest.isEmpty()
        ? Optional.empty()
        : Optional.of(new OfflineStatus(TailOpener.following(calls), latest));
  }

  /**
   * Returns the status of all files that the last run knew.
   *
   * @throws IOException when the files cannot be looked at, or that run had not seen them all
   */
  public StatusReport report() throws IOException {
    for (LatestCheckpoints destination : destinations) {
      if (destination.required() && !destination.looked()) {
        throw new IOException(
            "the last agent died before its first look at the sources was complete: what is at risk"
                + " is not known. Hint: start the agent again; 'tailwater status' asks it then");
      }
    }
    Set<PosixPath> paths = new LinkedHashSet<>();
    for (LatestCheckpoints destination : destinations) {
      destination.checkpoints().stream()
          .filter(checkpoint -> checkpoint.ending().isEmpty())
          .forEach(checkpoint -> paths.add(checkpoint.seen().path()));
    }
    long[] atRiskBytes = new long[destinations.size()];
    List<Losses.Changed> changed = new ArrayList<>();
    List<StatusReport.FileAtRisk> atRisk = new ArrayList<>();
    long uncompared = 0;
    for (PosixPath path : paths) {
      FileDelivery file = file(path);
      for (int i = 0; i < file.destinations().size(); i++) {
        atRiskBytes[i] += Math.max(0, file.sizeBytes() - file.destinations().get(i).durableBytes());
      }
      if (file.stream().isEmpty()) {
        continue;
      }
      boolean isAtRisk = file.durableBytes() < file.sizeBytes();
      if (file.change() == FileDelivery.Change.CHANGED_IN_PLACE) {
        changed.add(new Losses.Changed(path, new StreamId(file.stream().get())));
      } else if (file.change() == FileDelivery.Change.SUSPECTED && !isAtRisk) {
        uncompared++;
      }
      if (isAtRisk) {
        atRisk.add(
            new StatusReport.FileAtRisk(
                file.path(), file.stream().get(), file.sizeBytes(), file.durableBytes()));
      }
    }
    atRisk.sort(Comparator.comparingLong(StatusReport.FileAtRisk::atRiskBytes).reversed());
    return new StatusReport(
        agentName(),
        Optional.empty(),
        StatusReport.Progress.ofNone(
            atRisk.stream().mapToLong(StatusReport.FileAtRisk::atRiskBytes).sum()),
        new StatusReport.Files(
            destinations.stream().mapToLong(d -> d.checkpoints().size()).max().orElse(0),
            atRisk.size(),
            atRisk.stream().limit(StatusReport.Files.MOST_NAMED).toList(),
            new Losses.Report(
                0,
                List.of(),
                0,
                List.of(),
                changed.size(),
                changed.stream().limit(Losses.MOST_NAMES).toList()),
            uncompared),
        atDestinations(atRiskBytes),
        List.of(),
        StatusReport.Safety.NONE);
  }

  private List<StatusReport.AtDestination> atDestinations(long[] atRiskBytes) {
    List<StatusReport.AtDestination> all = new ArrayList<>();
    for (int i = 0; i < destinations.size(); i++) {
      LatestCheckpoints destination = destinations.get(i);
      all.add(
          new StatusReport.AtDestination(
              destination.destinationUri(),
              destination.destinationUri(),
              destination.required(),
              false,
              StatusReport.Progress.ofNone(atRiskBytes[i]),
              0,
              StatusReport.Merged.NOTHING,
              0));
    }
    return all;
  }

  private String agentName() {
    return destinations.stream()
        .flatMap(destination -> destination.checkpoints().stream())
        .findFirst()
        .map(checkpoint -> checkpoint.origin().agent())
        .orElse("");
  }

  /**
   * Returns how far a file is delivered, as the last run left it; without a stream when the path
   * does not lead to a file that it knew.
   */
  public FileDelivery file(PosixPath path) throws IOException {
    Optional<TailOpener.Opened> opened = opener.open(path);
    if (opened.isEmpty()) {
      return FileDelivery.unknown(path.toString(), 0);
    }
    try (Descriptor open = opened.get().descriptor()) {
      long sizeBytes = opened.get().status().sizeBytes();
      Optional<String> stream = Optional.empty();
      List<FileDelivery.AtDestination> at = new ArrayList<>();
      FileDelivery.Change change = FileDelivery.Change.NONE;
      for (int i = 0; i < destinations.size(); i++) {
        Optional<Checkpoint> checkpoint =
            Optional.ofNullable(byIdentity.get(i).get(opened.get().identity()));
        stream = stream.or(() -> checkpoint.map(c -> c.origin().id().text()));
        if (destinations.get(i).required() && checkpoint.isPresent()) {
          change = worse(change, change(checkpoint.get(), opened.get().status()));
        }
        at.add(
            new FileDelivery.AtDestination(
                destinations.get(i).destinationUri(),
                destinations.get(i).required(),
                checkpoint.isPresent() ? DeliveredBefore.durableBytes(checkpoint.get(), open) : 0));
      }
      return stream.isPresent()
          ? FileDelivery.of(path.toString(), stream.get(), sizeBytes, change, at)
          : FileDelivery.unknown(path.toString(), sizeBytes);
    }
  }

  private static FileDelivery.Change change(Checkpoint checkpoint, FileStatus status) {
    if (isChanged(checkpoint, status)) {
      return FileDelivery.Change.CHANGED_IN_PLACE;
    }
    if (checkpoint.rewriting().uncompared()) {
      return FileDelivery.Change.SUSPECTED;
    }
    return checkpoint.seen().path().equals(checkpoint.recorded().path())
        ? FileDelivery.Change.NONE
        : FileDelivery.Change.RENAMED;
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
