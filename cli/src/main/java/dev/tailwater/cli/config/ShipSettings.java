package dev.tailwater.cli.config;

import dev.tailwater.archive.Codec;
import dev.tailwater.cli.value.AtRiskBounds;
import dev.tailwater.cli.value.Bandwidths;
import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.hook.HookMoment;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.delivery.route.Bandwidth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * What {@code ship} was told, checked as far as it can be without looking at the machine.
 *
 * @param agent name of the agent; empty: the host name
 * @param state directory of the state; empty: the standard place
 * @param sources what to ship
 * @param destinations where to
 * @param bandwidth for each destination about which nothing else is said; empty: no limit
 * @param compress how segments are compressed
 * @param encryptTo age recipients or files of them
 * @param maxAtRisk what may be lost at most
 * @param maxAge longest time that a byte waits before its segment is cut, as told or as it follows
 *     from {@code maxAtRisk}; empty: what the destinations recommend
 * @param segmentSizeBytes 1 MiB to 64 MiB
 * @param mergeToBytes up to which length short segments are merged, 64 KiB to 1 GiB; 0: not at all;
 *     empty: what each destination recommends
 * @param drainDeadline how long a drain at the end may take
 * @param notices who tells that the machine goes away, and what is run then
 * @param workers threads that compress, 1 to 64
 * @param reconcile time between two scans of the whole tree
 * @param deletedGrace how long a deleted file is still waited for
 * @param neighbour what is done for the programs beside
 * @param foreignHardLinks whether hard links are shipped that somebody else can have made
 */
public record ShipSettings(
    Optional<String> agent,
    Optional<String> state,
    List<SourceSetting> sources,
    List<DestinationSetting> destinations,
    Optional<Bandwidth> bandwidth,
    Codec compress,
    List<String> encryptTo,
    AtRiskBound maxAtRisk,
    Optional<Duration> maxAge,
    long segmentSizeBytes,
    OptionalLong mergeToBytes,
    Duration drainDeadline,
    NoticeSettings notices,
    int workers,
    Duration reconcile,
    Duration deletedGrace,
    NeighbourSettings neighbour,
    boolean foreignHardLinks) {

  public ShipSettings {
    sources = List.copyOf(sources);
    destinations = List.copyOf(destinations);
    encryptTo = List.copyOf(encryptTo);
  }

  /** Collects settings; what is set later wins. Begins with the defaults of {@link ShipKey}. */
  public static final class Builder {
    private Optional<String> agent = Optional.empty();
    private Optional<String> state = Optional.empty();
    private final List<SourceSetting> sources = new ArrayList<>();
    private final List<DestinationSetting> destinations = new ArrayList<>();
    private Optional<Bandwidth> bandwidth = Optional.empty();
    private Codec compress = new Codec.Zstd(1);
    private final List<String> encryptTo = new ArrayList<>();
    private AtRiskBound maxAtRisk = AtRiskBound.NONE;
    private Optional<Duration> maxAge = Optional.empty();
    private OptionalLong segmentSizeBytes = OptionalLong.empty();
    private OptionalLong mergeToBytes = OptionalLong.empty();
    private Duration drainDeadline = Duration.ZERO;
    private NoticeSettings notices = NoticeSettings.STANDARD;
    private int workers;
    private Duration reconcile = Duration.ZERO;
    private Duration deletedGrace = Duration.ZERO;
    private boolean foreignHardLinks;
    private NeighbourSettings neighbour = NeighbourSettings.STANDARD;

    public Builder() {
      for (ShipKey key : ShipKey.values()) {
        key.standard().ifPresent(value -> set(key, value));
      }
      segmentSizeBytes = OptionalLong.empty(); // Unless the user says so, it follows.
    }

    /** Adds a source. */
    public Builder source(SourceSetting source) {
      sources.add(source);
      return this;
    }

    /** Sets the destinations, instead of those that were set before. */
    public Builder destinations(List<DestinationSetting> several) {
      destinations.clear();
      destinations.addAll(several);
      return this;
    }

    /**
     * Adds somebody who is asked whether the machine goes away.
     *
     * @throws IllegalArgumentException saying what is expected
     */
    public final Builder notice(NoticeSetting source) {
      notices = notices.with(source);
      return this;
    }

    /** Forgets who is to be asked. */
    public Builder forgetNotices() {
      notices = notices.withoutSources();
      return this;
    }

    /** Sets what is run at a moment. */
    public Builder hook(HookMoment moment, UserCommand command) {
      notices = notices.with(moment, command);
      return this;
    }

    /**
     * Sets a key from its text; a key that can be given several times is added to.
     *
     * @throws IllegalArgumentException saying what is expected
     */
    public final Builder set(ShipKey key, String text) {
      switch (key) {
        case AGENT -> agent = Optional.of(ValueChecks.agentName(text));
        case STATE -> state = Optional.of(ValueChecks.notEmpty(text));
        case DESTINATION -> destinations(List.of(DestinationSetting.required(text)));
        case BANDWIDTH -> bandwidth = Optional.of(Bandwidths.parse(text));
        case COMPRESS -> compress = Codec.parse(text);
        case ENCRYPT_TO -> encryptTo.add(ValueChecks.recipient(text));
        case MAX_AT_RISK -> maxAtRisk = AtRiskBounds.parse(text);
        case MAX_AGE -> maxAge = Optional.of(ValueChecks.duration(text, Duration.ofMillis(10)));
        case SEGMENT_SIZE ->
            segmentSizeBytes = OptionalLong.of(ValueChecks.sizeBytes(text, 1 << 20, 64 << 20));
        case MERGE_TO -> mergeToBytes = OptionalLong.of(mergeTo(text));
        case DRAIN_DEADLINE -> drainDeadline = ValueChecks.duration(text, Duration.ZERO);
        case NOTICES -> notice(NoticeSetting.parse(text));
        case WORKERS -> workers = ValueChecks.count(text, 64);
        case NEIGHBOUR -> neighbour = NeighbourText.apply(neighbour, text);
        case RECONCILE -> reconcile = ValueChecks.duration(text, Duration.ofMillis(100));
        case FOREIGN_HARD_LINKS -> foreignHardLinks = ValueChecks.isShip(text);
        case DELETED_GRACE -> deletedGrace = ValueChecks.duration(text, Duration.ZERO);
      }
      return this;
    }

    private static long mergeTo(String text) {
      return text.equals("off") ? 0 : ValueChecks.sizeBytes(text, 64 << 10, 1 << 30);
    }

    /** Changes what is done for the programs beside. */
    Builder neighbour(UnaryOperator<NeighbourSettings> change) {
      neighbour = change.apply(neighbour);
      return this;
    }

    /** What of it cannot all be meant. */
    public Optional<Contradiction> contradiction() {
      return Contradiction.find(maxAtRisk, maxAge, segmentSizeBytes);
    }

    /** Has any source been added? */
    public boolean hasSources() {
      return !sources.isEmpty();
    }

    public ShipSettings build() {
      return new ShipSettings(
          agent,
          state,
          sources,
          destinations,
          bandwidth,
          compress,
          encryptTo,
          maxAtRisk,
          maxAge.or(maxAtRisk::maxAge),
          segmentSizeBytes.orElse(maxAtRisk.segmentBytes()),
          mergeToBytes,
          drainDeadline,
          notices,
          workers,
          reconcile,
          deletedGrace,
          neighbour,
          foreignHardLinks);
    }
  }
}
