package dev.tailwater.delivery;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.posix.PosixPath;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The configuration of an agent.
 *
 * @param agent its name: the first component of every object name
 * @param stateDirectory where checkpoints are kept; created if absent
 * @param ownPlaces directories that are never delivered, such as a destination on this machine
 * @param recipients to whom segments are encrypted; empty: segments are not encrypted
 * @param maxAge how old a byte may become before it is durable
 * @param segmentBytes the size of a full segment's staging buffer, 1 to 64 MiB
 * @param workers how many threads read and compress for each destination
 * @param parallelDeliveries how many calls to each destination may be under way at once
 * @param mergeToBytes the length of raw bytes up to which short segments are merged, at most 1 GiB;
 *     0: they are not merged; empty: what each destination recommends
 * @param reconcile time between full scans, which find what notifications missed
 * @param poll time between scans of file systems that give no notifications
 * @param goneGrace how long a deleted file must be quiet before its stream ends
 * @param neighbour what is done for other programs on the machine
 * @param maxAtRisk the bound on what is at risk, from which {@code maxAge} and {@code segmentBytes}
 *     should be derived; here it makes tails due earlier when too much is at risk, and a breach of
 *     it is reported
 * @param foreignHardLinks whether to ship hard links that somebody else than the file's owner may
 *     have made
 */
public record AgentConfig(
    String agent,
    List<Source> sources,
    PosixPath stateDirectory,
    List<PosixPath> ownPlaces,
    Codec codec,
    List<Recipient> recipients,
    Duration maxAge,
    int segmentBytes,
    int workers,
    int parallelDeliveries,
    OptionalLong mergeToBytes,
    Duration reconcile,
    Duration poll,
    Duration goneGrace,
    boolean followSymlinks,
    NeighbourSettings neighbour,
    AtRiskBound maxAtRisk,
    boolean foreignHardLinks) {
  /** The largest value of {@code mergeToBytes}. */
  public static final long MAX_MERGE_BYTES = 1L << 30;

  public AgentConfig {
    sources = List.copyOf(sources);
    ownPlaces = List.copyOf(ownPlaces);
    recipients = List.copyOf(recipients);
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("there is no source to watch");
    }
    if (segmentBytes < 1 << 20 || segmentBytes > 64 << 20) {
      throw new IllegalArgumentException("segment size must be 1 to 64 MiB");
    }
    if (workers < 1 || parallelDeliveries < 1) {
      throw new IllegalArgumentException("there must be at least one worker and one delivery");
    }
    if (mergeToBytes.orElse(0) < 0 || mergeToBytes.orElse(0) > MAX_MERGE_BYTES) {
      throw new IllegalArgumentException("segments are merged up to 1 GiB at most");
    }
  }

  /**
   * Creates a configuration without regard for neighbours, and without a bound on what is at risk.
   */
  public AgentConfig(
      String agent,
      List<Source> sources,
      PosixPath stateDirectory,
      List<PosixPath> ownPlaces,
      Codec codec,
      List<Recipient> recipients,
      Duration maxAge,
      int segmentBytes,
      int workers,
      int parallelDeliveries,
      OptionalLong mergeToBytes,
      Duration reconcile,
      Duration poll,
      Duration goneGrace,
      boolean followSymlinks) {
    this(
        agent,
        sources,
        stateDirectory,
        ownPlaces,
        codec,
        recipients,
        maxAge,
        segmentBytes,
        workers,
        parallelDeliveries,
        mergeToBytes,
        reconcile,
        poll,
        goneGrace,
        followSymlinks,
        NeighbourSettings.OFF,
        AtRiskBound.NONE,
        false);
  }

  /** Creates a configuration with defaults, and without regard for neighbours. */
  public static AgentConfig of(String agent, List<Source> sources, PosixPath stateDirectory) {
    return new AgentConfig(
        agent,
        sources,
        stateDirectory,
        List.of(),
        new Codec.Zstd(1),
        List.of(),
        Duration.ofSeconds(1),
        8 << 20,
        1,
        8,
        OptionalLong.empty(),
        Duration.ofSeconds(60),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        false,
        NeighbourSettings.OFF,
        AtRiskBound.NONE,
        false);
  }

  /** Returns the same configuration with another length for merging. */
  public AgentConfig withMergeTo(OptionalLong newMergeToBytes) {
    return with(maxAge, newMergeToBytes, neighbour, maxAtRisk);
  }

  /** Returns the same configuration with another maximum age. */
  public AgentConfig withMaxAge(Duration newMaxAge) {
    return with(newMaxAge, mergeToBytes, neighbour, maxAtRisk);
  }

  /** Returns the same configuration with another bound, and the same age and segments. */
  public AgentConfig withMaxAtRisk(AtRiskBound newMaxAtRisk) {
    return with(maxAge, mergeToBytes, neighbour, newMaxAtRisk);
  }

  /** Returns the same configuration with other settings for neighbours. */
  public AgentConfig withNeighbour(NeighbourSettings newNeighbour) {
    return with(maxAge, mergeToBytes, newNeighbour, maxAtRisk);
  }

  private AgentConfig with(
      Duration newMaxAge,
      OptionalLong newMergeToBytes,
      NeighbourSettings newNeighbour,
      AtRiskBound newMaxAtRisk) {
    return new AgentConfig(
        agent,
        sources,
        stateDirectory,
        ownPlaces,
        codec,
        recipients,
        newMaxAge,
        segmentBytes,
        workers,
        parallelDeliveries,
        newMergeToBytes,
        reconcile,
        poll,
        goneGrace,
        followSymlinks,
        newNeighbour,
        newMaxAtRisk,
        foreignHardLinks);
  }
}
