package dev.tailwater.delivery.config;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.io.watch.WatchStatistics;
import dev.tailwater.posix.PosixPath;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The configuration of an agent. {@link Builder} has the defaults.
 *
 * @param agent its name: the first component of every object name
 * @param stateDirectory where checkpoints are kept; created if absent
 */
public record AgentConfig(
    String agent,
    PosixPath stateDirectory,
    Scope scope,
    Timing timing,
    Segments segments,
    Limits limits,
    Resources resources) {
  /** The largest value of {@link Segments#mergeToBytes}. */
  public static final long MAX_MERGE_BYTES = 1L << 30;

  /** How many quiet files stay in memory; some ten megabytes. */
  private static final int FILES_IN_MEMORY = 4_096;

  /**
   * Which files are delivered.
   *
   * @param ownPlaces directories that are never delivered, such as a destination on this machine
   * @param foreignHardLinks whether to ship hard links that somebody else than the file's owner may
   *     have made
   * @param directories whether destinations are told of directories, symbolic links and further
   *     names of files
   * @param extendedAttributes whether they are told of extended attributes and ACLs too, which
   *     needs {@code directories}
   */
  public record Scope(
      List<Source> sources,
      List<PosixPath> ownPlaces,
      boolean followSymlinks,
      boolean foreignHardLinks,
      boolean directories,
      boolean extendedAttributes) {
    public Scope {
      sources = List.copyOf(sources);
      ownPlaces = List.copyOf(ownPlaces);
      if (sources.isEmpty()) {
        throw new IllegalArgumentException("there is no source to watch");
      }
      if (extendedAttributes && !directories) {
        throw new IllegalArgumentException("attributes are told together with directories");
      }
    }

    /** Returns how many of these links are left out: destinations may be told of some. */
    public long leftOutOf(WatchStatistics.Links notFollowed) {
      return directories ? notFollowed.forDirectories() : notFollowed.all();
    }
  }

  /**
   * When files are looked at that no notification names.
   *
   * @param reconcile time between full scans, which find what notifications missed
   * @param poll time between scans of file systems that give no notifications
   * @param goneGrace how long a deleted file must be quiet before its stream ends
   */
  public record Timing(Duration reconcile, Duration poll, Duration goneGrace) {}

  /**
   * The form of segments.
   *
   * @param recipients to whom segments are encrypted; empty: segments are not encrypted
   * @param fullBytes the size of a full segment's staging buffer, 1 to 64 MiB
   * @param mergeToBytes the length of raw bytes up to which short segments are merged, at most 1
   *     GiB; 0: they are not merged; empty: what each destination recommends
   * @param contentCheck what encrypted segments state about their content
   * @param signing whether what is delivered is signed
   * @param packs when ranges that fill no segment, and what there is to say of files, travel in
   *     packs. These need zstd, and where they are encrypted a content check. {@link
   *     PackUse#FOR_MANY_FILES} means never where they cannot be read after the loss of the state:
   *     where they are encrypted, and the key of the content check is not a configured one
   * @param keepRevisions what merged packs keep of bytes that were replaced
   */
  public record Segments(
      Codec codec,
      List<Recipient> recipients,
      int fullBytes,
      OptionalLong mergeToBytes,
      ContentCheck contentCheck,
      Signing signing,
      PackUse packs,
      RevisionRetention keepRevisions) {
    public Segments {
      recipients = List.copyOf(recipients);
      if (fullBytes < 1 << 20 || fullBytes > 64 << 20) {
        throw new IllegalArgumentException("segment size must be 1 to 64 MiB");
      }
      if (mergeToBytes.orElse(0) < 0 || mergeToBytes.orElse(0) > MAX_MERGE_BYTES) {
        throw new IllegalArgumentException("segments are merged up to 1 GiB at most");
      }
      if (packs.isAlways() && codec instanceof Codec.Gzip) {
        throw new IllegalArgumentException("packs are compressed with zstd, not with gzip");
      }
      if (packs.isAlways() && !recipients.isEmpty() && !contentCheck.stated()) {
        throw new IllegalArgumentException(
            "without a content check, an agent that lost its state cannot tell what is in its"
                + " encrypted packs");
      }
    }

    /** Returns when packs are used, as the other settings permit. */
    public PackUse packUse() {
      boolean readableLater = recipients.isEmpty() || contentCheck.stated();
      boolean possible = !(codec instanceof Codec.Gzip) && readableLater;
      return packs.isAlways() || possible ? packs : PackUse.NEVER;
    }
  }

  /**
   * The limits of what is at risk.
   *
   * @param maxAge how old a byte may become before it is durable
   * @param maxAtRisk the bound on what is at risk, from which {@code maxAge} and {@link
   *     Segments#fullBytes} should be derived; here it makes tails due earlier when too much is at
   *     risk, and a breach of it is reported
   */
  public record Limits(Duration maxAge, AtRiskBound maxAtRisk) {}

  /**
   * What the agent may use of the machine.
   *
   * @param workers how many threads read and compress for each destination
   * @param parallelDeliveries how many calls to each destination may be under way at once
   * @param filesInMemory how many files stay in memory if they have nothing at risk
   * @param mostFilesInMemory how many may be in memory at once, if the heap is large enough
   * @param neighbour what is done for other programs on the machine
   */
  public record Resources(
      int workers,
      int parallelDeliveries,
      int filesInMemory,
      int mostFilesInMemory,
      NeighbourSettings neighbour) {
    public Resources {
      if (workers < 1 || parallelDeliveries < 1) {
        throw new IllegalArgumentException("there must be at least one worker and one delivery");
      }
    }
  }

  /** Creates a configuration with the defaults. */
  public static AgentConfig of(String agent, List<Source> sources, PosixPath stateDirectory) {
    return builder(agent, sources, stateDirectory).build();
  }

  /** Creates a builder that begins with the defaults. */
  public static Builder builder(String agent, List<Source> sources, PosixPath stateDirectory) {
    return new Builder(agent, sources, stateDirectory);
  }

  /** Creates a builder that begins with this configuration. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects the settings of a configuration; what each of them means is said in its record. */
  public static final class Builder {
    private String agent;
    private List<Source> sources;
    private final PosixPath stateDirectory;
    private List<PosixPath> ownPlaces = List.of();
    private boolean followSymlinks = false;
    private boolean foreignHardLinks = false;
    private boolean directories = false;
    private boolean extendedAttributes = false;
    private Duration reconcile = Duration.ofSeconds(60);
    private Duration poll = Duration.ofSeconds(1);
    private Duration goneGrace = Duration.ofSeconds(30);
    private Codec codec = new Codec.Zstd(1);
    private List<Recipient> recipients = List.of();
    private int segmentBytes = 8 << 20;
    private OptionalLong mergeToBytes = OptionalLong.empty();
    private RevisionRetention keepRevisions = RevisionRetention.ALL;
    private ContentCheck contentCheck = ContentCheck.WITH_KEY_IN_STATE;
    private Signing signing = Signing.OFF;
    private PackUse packs = PackUse.FOR_MANY_FILES;
    private Duration maxAge = Duration.ofSeconds(1);
    private AtRiskBound maxAtRisk = AtRiskBound.NONE;
    private int workers = 1;
    private int parallelDeliveries = 8;
    private int filesInMemory = FILES_IN_MEMORY;
    private int mostFilesInMemory = Integer.MAX_VALUE;
    private NeighbourSettings neighbour = NeighbourSettings.OFF;

    private Builder(String agent, List<Source> sources, PosixPath stateDirectory) {
      this.agent = agent;
      this.sources = sources;
      this.stateDirectory = stateDirectory;
    }

    private Builder(AgentConfig config) {
      agent = config.agent;
      stateDirectory = config.stateDirectory;
      sources = config.scope.sources;
      ownPlaces = config.scope.ownPlaces;
      followSymlinks = config.scope.followSymlinks;
      foreignHardLinks = config.scope.foreignHardLinks;
      directories = config.scope.directories;
      extendedAttributes = config.scope.extendedAttributes;
      reconcile = config.timing.reconcile;
      poll = config.timing.poll;
      goneGrace = config.timing.goneGrace;
      codec = config.segments.codec;
      recipients = config.segments.recipients;
      segmentBytes = config.segments.fullBytes;
      mergeToBytes = config.segments.mergeToBytes;
      keepRevisions = config.segments.keepRevisions;
      contentCheck = config.segments.contentCheck;
      signing = config.segments.signing;
      packs = config.segments.packs;
      maxAge = config.limits.maxAge;
      maxAtRisk = config.limits.maxAtRisk;
      workers = config.resources.workers;
      parallelDeliveries = config.resources.parallelDeliveries;
      filesInMemory = config.resources.filesInMemory;
      mostFilesInMemory = config.resources.mostFilesInMemory;
      neighbour = config.resources.neighbour;
    }

    public Builder agent(String name) {
      agent = name;
      return this;
    }

    public Builder sources(List<Source> several) {
      sources = several;
      return this;
    }

    public Builder ownPlaces(List<PosixPath> directories) {
      ownPlaces = directories;
      return this;
    }

    public Builder followSymlinks(boolean follow) {
      followSymlinks = follow;
      return this;
    }

    public Builder foreignHardLinks(boolean ship) {
      foreignHardLinks = ship;
      return this;
    }

    public Builder directories(boolean tell) {
      directories = tell;
      return this;
    }

    /** See {@link Scope}. */
    public Builder extendedAttributes(boolean tell) {
      extendedAttributes = tell;
      return this;
    }

    public Builder reconcile(Duration interval) {
      reconcile = interval;
      return this;
    }

    public Builder poll(Duration interval) {
      poll = interval;
      return this;
    }

    public Builder goneGrace(Duration quiet) {
      goneGrace = quiet;
      return this;
    }

    public Builder codec(Codec compression) {
      codec = compression;
      return this;
    }

    public Builder recipients(List<Recipient> several) {
      recipients = several;
      return this;
    }

    public Builder segmentBytes(int full) {
      segmentBytes = full;
      return this;
    }

    /** Sets what merged packs keep of bytes that were replaced; default: everything. */
    public Builder keepRevisions(RevisionRetention retention) {
      keepRevisions = retention;
      return this;
    }

    public Builder mergeToBytes(OptionalLong length) {
      mergeToBytes = length;
      return this;
    }

    public Builder contentCheck(ContentCheck check) {
      contentCheck = check;
      return this;
    }

    public Builder signing(Signing what) {
      signing = what;
      return this;
    }

    public Builder packs(PackUse use) {
      packs = use;
      return this;
    }

    public Builder maxAge(Duration age) {
      maxAge = age;
      return this;
    }

    public Builder maxAtRisk(AtRiskBound bound) {
      maxAtRisk = bound;
      return this;
    }

    public Builder workers(int threads) {
      workers = threads;
      return this;
    }

    /** Sets how many files stay in memory if they have nothing at risk. */
    public Builder filesInMemory(int files) {
      filesInMemory = files;
      return this;
    }

    /** Sets how many files may be in memory at once, if the heap is large enough for them. */
    public Builder mostFilesInMemory(int files) {
      mostFilesInMemory = files;
      return this;
    }

    public Builder parallelDeliveries(int calls) {
      parallelDeliveries = calls;
      return this;
    }

    public Builder neighbour(NeighbourSettings settings) {
      neighbour = settings;
      return this;
    }

    /**
     * Creates the configuration.
     *
     * @throws IllegalArgumentException when there is no source, or a value is out of range
     */
    public AgentConfig build() {
      return new AgentConfig(
          agent,
          stateDirectory,
          new Scope(
              sources,
              ownPlaces,
              followSymlinks,
              foreignHardLinks,
              directories,
              extendedAttributes),
          new Timing(reconcile, poll, goneGrace),
          new Segments(
              codec,
              recipients,
              segmentBytes,
              mergeToBytes,
              contentCheck,
              signing,
              packs,
              keepRevisions),
          new Limits(maxAge, maxAtRisk),
          new Resources(workers, parallelDeliveries, filesInMemory, mostFilesInMemory, neighbour));
    }
  }
}
