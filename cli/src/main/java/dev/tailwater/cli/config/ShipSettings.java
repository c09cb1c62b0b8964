package dev.tailwater.cli.config;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.cli.value.AtRiskBounds;
import dev.tailwater.cli.value.Bandwidths;
import dev.tailwater.cli.value.RevisionTexts;
import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.hook.HookMoment;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.pack.PackUse;
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
 * Immutable.
 *
 * <p>Each {@link ShipKey} is one field here, one line in {@link Builder#set} and one accessor; no
 * other class names all of them.
 */
public final class ShipSettings implements Cloneable {
  private Optional<String> agent = Optional.empty();
  private Optional<String> state = Optional.empty();
  private List<SourceSetting> sources = List.of();
  private List<DestinationSetting> destinations = List.of();
  private Optional<Bandwidth> bandwidth = Optional.empty();
  private Codec compress = new Codec.Zstd(1);
  private List<String> encryptTo = List.of();
  private boolean contentCheck;
  private Optional<String> contentCheckKeyFile = Optional.empty();
  private boolean signing;
  private Optional<String> signingKeyFile = Optional.empty();
  private Optional<String> trustedKeys = Optional.empty();
  private PackUse packs = PackUse.FOR_MANY_FILES;
  private AtRiskBound maxAtRisk = AtRiskBound.NONE;
  private Optional<Duration> maxAge = Optional.empty();
  private OptionalLong segmentSizeBytes = OptionalLong.empty();
  private OptionalLong mergeToBytes = OptionalLong.empty();
  private RevisionRetention keepRevisions = RevisionRetention.ALL;
  private Duration drainDeadline = Duration.ZERO;
  private NoticeSettings notices = NoticeSettings.STANDARD;
  private int workers;
  private Duration reconcile = Duration.ZERO;
  private Duration deletedGrace = Duration.ZERO;
  private NeighbourSettings neighbour = NeighbourSettings.STANDARD;
  private boolean foreignHardLinks;
  private boolean directories;
  private boolean extendedAttributes;

  private ShipSettings() {}

  /** The name of the agent; empty: the host name. */
  public Optional<String> agent() {
    return agent;
  }

  /** The directory of the state; empty: the standard place. */
  public Optional<String> state() {
    return state;
  }

  /** What to ship. */
  public List<SourceSetting> sources() {
    return sources;
  }

  /** Where to ship it. */
  public List<DestinationSetting> destinations() {
    return destinations;
  }

  /** The limit for each destination that has none of its own; empty: no limit. */
  public Optional<Bandwidth> bandwidth() {
    return bandwidth;
  }

  /** How segments are compressed. */
  public Codec compress() {
    return compress;
  }

  /** age recipients, or files of them. */
  public List<String> encryptTo() {
    return encryptTo;
  }

  /** Whether encrypted segments state a check of their content. */
  public boolean contentCheck() {
    return contentCheck;
  }

  /** The file of the key of these checks; empty: a random key in the state directory. */
  public Optional<String> contentCheckKeyFile() {
    return contentCheckKeyFile;
  }

  /** Whether what is delivered is signed. */
  public boolean signing() {
    return signing;
  }

  /** The file of the key to sign with; empty: a key in the state directory. */
  public Optional<String> signingKeyFile() {
    return signingKeyFile;
  }

  /** The file of public keys that are believed beside the agent's own; empty: none. */
  public Optional<String> trustedKeys() {
    return trustedKeys;
  }

  /** When ranges that fill no segment travel in packs. */
  public PackUse packs() {
    return packs;
  }

  /** What may be lost at most. */
  public AtRiskBound maxAtRisk() {
    return maxAtRisk;
  }

  /**
   * The longest time that a byte waits before its segment is cut, as told or as it follows from
   * {@link #maxAtRisk}; empty: what the destinations recommend.
   */
  public Optional<Duration> maxAge() {
    return maxAge.or(maxAtRisk::maxAge);
  }

  /** The size at which a segment is cut, as told or as it follows from {@link #maxAtRisk}. */
  public long segmentSizeBytes() {
    return segmentSizeBytes.orElse(maxAtRisk.segmentBytes());
  }

  /**
   * Up to which length short segments are merged; 0: not at all; empty: what each destination
   * recommends.
   */
  public OptionalLong mergeToBytes() {
    return mergeToBytes;
  }

  /** What is kept of bytes that were replaced, when packs are merged. */
  public RevisionRetention keepRevisions() {
    return keepRevisions;
  }

  /** How long a drain at the end may take. */
  public Duration drainDeadline() {
    return drainDeadline;
  }

  /** Who tells that the machine goes away, and what is run then. */
  public NoticeSettings notices() {
    return notices;
  }

  /** How many threads compress, for each destination. */
  public int workers() {
    return workers;
  }

  /** The time between two scans of the whole tree. */
  public Duration reconcile() {
    return reconcile;
  }

  /** How long a deleted file is still read. */
  public Duration deletedGrace() {
    return deletedGrace;
  }

  /** What is done for other programs on this machine. */
  public NeighbourSettings neighbour() {
    return neighbour;
  }

  /** Whether the archive tells directories, symbolic links and further names of files. */
  public boolean directories() {
    return directories;
  }

  /** Whether the archive tells extended attributes, and all that {@link #directories} means. */
  public boolean extendedAttributes() {
    return extendedAttributes;
  }

  /** Whether files are shipped under names that somebody else can have made. */
  public boolean foreignHardLinks() {
    return foreignHardLinks;
  }

  /** A copy to be changed; all values are immutable. */
  private ShipSettings copy() {
    try {
      return (ShipSettings) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Collects settings; what is set later wins. */
  public static final class Builder {
    private final ShipSettings settings;

    /** Apart, since adding to an immutable list copies it, and there may be thousands. */
    private final List<SourceSetting> sources = new ArrayList<>();

    /** Begins with the defaults of {@link ShipKey}. */
    public Builder() {
      settings = new ShipSettings();
      for (ShipKey key : ShipKey.values()) {
        key.standard().ifPresent(value -> set(key, value));
      }
      settings.segmentSizeBytes = OptionalLong.empty(); // Unless the user says so, it follows.
    }

    /** Begins with what is set already. */
    public Builder(ShipSettings begin) {
      settings = begin.copy();
      sources.addAll(begin.sources);
    }

    /** Adds a source. */
    public Builder source(SourceSetting source) {
      sources.add(source);
      return this;
    }

    /** Sets the sources, instead of those that were set before. */
    public Builder sources(List<SourceSetting> several) {
      sources.clear();
      sources.addAll(several);
      return this;
    }

    /** Sets the destinations, instead of those that were set before. */
    public Builder destinations(List<DestinationSetting> several) {
      settings.destinations = List.copyOf(several);
      return this;
    }

    /**
     * Adds somebody who is asked whether the machine goes away.
     *
     * @throws IllegalArgumentException saying what is expected
     */
    public Builder notice(NoticeSetting source) {
      settings.notices = settings.notices.with(source);
      return this;
    }

    /** Sets who is asked and what is run, instead of what was set before. */
    public Builder notices(NoticeSettings notices) {
      settings.notices = notices;
      return this;
    }

    /** Forgets who is to be asked. */
    public Builder forgetNotices() {
      settings.notices = settings.notices.withoutSources();
      return this;
    }

    /** Uses keys in the state directory for checks and signatures, whatever was set before. */
    public Builder keysInState() {
      settings.contentCheckKeyFile = Optional.empty();
      settings.signingKeyFile = Optional.empty();
      settings.trustedKeys = Optional.empty();
      return this;
    }

    /** Sets what is run at a moment. */
    public Builder hook(HookMoment moment, UserCommand command) {
      settings.notices = settings.notices.with(moment, command);
      return this;
    }

    /**
     * Sets a key from its text; a key that can be given several times is added to.
     *
     * @throws IllegalArgumentException saying what is expected
     */
    public Builder set(ShipKey key, String text) {
      ShipSettings to = settings;
      switch (key) {
        case AGENT -> to.agent = Optional.of(ValueChecks.agentName(text));
        case STATE -> to.state = Optional.of(ValueChecks.notEmpty(text));
        case DESTINATION -> to.destinations = List.of(DestinationSetting.required(text));
        case BANDWIDTH -> to.bandwidth = Optional.of(Bandwidths.parse(text));
        case COMPRESS -> to.compress = Codec.parse(text);
        case ENCRYPT_TO -> to.encryptTo = with(to.encryptTo, ValueChecks.recipient(text));
        case CONTENT_CHECK -> to.contentCheck = ValueChecks.isOn(text);
        case CONTENT_CHECK_KEY_FILE ->
            to.contentCheckKeyFile = Optional.of(ValueChecks.notEmpty(text));
        case SIGNING -> to.signing = ValueChecks.isOn(text);
        case SIGNING_KEY_FILE -> to.signingKeyFile = Optional.of(ValueChecks.notEmpty(text));
        case TRUSTED_KEYS -> to.trustedKeys = Optional.of(ValueChecks.notEmpty(text));
        case PACKS -> to.packs = ValueChecks.packUse(text);
        case MAX_AT_RISK -> to.maxAtRisk = AtRiskBounds.parse(text);
        case MAX_AGE -> to.maxAge = Optional.of(ValueChecks.duration(text, Duration.ofMillis(10)));
        case SEGMENT_SIZE ->
            to.segmentSizeBytes = OptionalLong.of(ValueChecks.sizeBytes(text, 1 << 20, 64 << 20));
        case MERGE_TO -> to.mergeToBytes = OptionalLong.of(mergeTo(text));
        case KEEP_REVISIONS -> to.keepRevisions = RevisionTexts.parse(text);
        case DRAIN_DEADLINE -> to.drainDeadline = ValueChecks.duration(text, Duration.ZERO);
        case NOTICES -> notice(NoticeSetting.parse(text));
        case WORKERS -> to.workers = ValueChecks.count(text, 64);
        case NEIGHBOUR -> to.neighbour = NeighbourText.apply(to.neighbour, text);
        case RECONCILE -> to.reconcile = ValueChecks.duration(text, Duration.ofMillis(100));
        case FOREIGN_HARD_LINKS -> to.foreignHardLinks = ValueChecks.isShip(text);
        case DIRECTORIES -> to.directories = ValueChecks.isOn(text);
        case EXTENDED_ATTRIBUTES -> to.extendedAttributes = ValueChecks.isOn(text);
        case DELETED_GRACE -> to.deletedGrace = ValueChecks.duration(text, Duration.ZERO);
      }
      return this;
    }

    private static long mergeTo(String text) {
      try {
        return text.equals("off") ? 0 : ValueChecks.sizeBytes(text, 64 << 10, 1 << 30);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            e.getMessage() + "; off leaves every segment as it is", e);
      }
    }

    private static <T> List<T> with(List<T> before, T added) {
      List<T> all = new ArrayList<>(before);
      all.add(added);
      return List.copyOf(all);
    }

    /** Changes what is done for other programs. */
    Builder neighbour(UnaryOperator<NeighbourSettings> change) {
      settings.neighbour = change.apply(settings.neighbour);
      return this;
    }

    /** The settings that cannot both be meant, if there are any. */
    public Optional<Contradiction> contradiction() {
      return Contradiction.find(settings.maxAtRisk, settings.maxAge, settings.segmentSizeBytes)
          .or(() -> Contradiction.find(settings.contentCheck, settings.contentCheckKeyFile))
          .or(() -> Contradiction.ofSigning(settings))
          .or(() -> Contradiction.ofPacks(settings));
    }

    /** Whether any source has been added. */
    public boolean hasSources() {
      return !sources.isEmpty();
    }

    /** The settings as they are now; the builder can be used on. */
    public ShipSettings build() {
      ShipSettings built = settings.copy();
      built.sources = List.copyOf(sources);
      return built;
    }
  }
}
