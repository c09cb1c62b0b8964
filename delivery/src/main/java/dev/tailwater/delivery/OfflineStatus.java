package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.Checkpoint;
import dev.tailwater.delivery.checkpoint.LatestCheckpoints;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is at risk while no agent runs: the checkpoints of the last run against the files as they
 * are now. Files that were born since are not known here.
 */
public final class OfflineStatus {
  private final TailOpener opener;
  private final LatestCheckpoints latest;
  private final Map<FileIdentity, Checkpoint> byIdentity = new HashMap<>();

  private OfflineStatus(TailOpener opener, LatestCheckpoints latest) {
    this.opener = opener;
    this.latest = latest;
    for (Checkpoint checkpoint : latest.checkpoints()) {
      byIdentity.merge(
          checkpoint.identity(),
          checkpoint,
          (a, b) -> a.stream().epoch() > b.stream().epoch() ? a : b);
    }
  }

  /**
   * Reads the state; empty when no agent has used the directory yet.
   *
   * @throws IOException when the state cannot be read, or an agent is using it
   */
  public static Optional<OfflineStatus> read(FileCalls calls, PosixPath stateDirectory)
      throws IOException {
    return LatestCheckpoints.read(calls, stateDirectory)
        .map(latest -> new OfflineStatus(TailOpener.following(calls), latest));
  }

  /** All files that the last run knew. */
  public StatusReport report() throws IOException {
    long atRiskBytes = 0;
    List<StatusReport.FileAtRisk> atRisk = new ArrayList<>();
    for (Checkpoint checkpoint : latest.checkpoints()) {
      if (checkpoint.ending().isPresent()) {
        continue;
      }
      FileDelivery file = file(checkpoint.path());
      if (file.stream().isPresent() && !file.isDelivered()) {
        atRiskBytes += file.sizeBytes() - file.durableBytes();
        atRisk.add(
            new StatusReport.FileAtRisk(
                file.path(), file.stream().get(), file.sizeBytes(), file.durableBytes()));
      }
    }
    return new StatusReport(
        agentName(),
        OptionalLong.empty(),
        latest.destinationUri(),
        false,
        0,
        latest.checkpoints().size(),
        Optional.empty(),
        atRiskBytes,
        0,
        0,
        0,
        0,
        atRisk,
        List.of());
  }

  private String agentName() {
    return latest.checkpoints().stream()
        .findFirst()
        .map(checkpoint -> checkpoint.streamPrefix().split("/", 2)[0])
        .orElse("");
  }

  /**
   * How far one file is delivered, as the last run left it; without a stream when the path leads to
   * no file that it knew.
   */
  public FileDelivery file(PosixPath path) throws IOException {
    Optional<TailOpener.Opened> opened = opener.open(path);
    if (opened.isEmpty()) {
      return new FileDelivery(path.toString(), Optional.empty(), 0, 0);
    }
    try (Descriptor open = opened.get().descriptor()) {
      Optional<Checkpoint> checkpoint =
          Optional.ofNullable(byIdentity.get(opened.get().identity()));
      return new FileDelivery(
          path.toString(),
          checkpoint.map(c -> c.stream().text()),
          opened.get().status().sizeBytes(),
          checkpoint.isPresent() ? durableBytes(checkpoint.get(), open) : 0);
    }
  }

  /** How far the archive holds the file as it is now: nothing if it was truncated meanwhile. */
  private static long durableBytes(Checkpoint checkpoint, Descriptor open) throws IOException {
    return checkpoint.marker().matches(open.calls(), open.fd(), checkpoint.durableBytes())
        ? checkpoint.durableBytes()
        : 0;
  }
}
