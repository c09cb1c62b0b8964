package dev.tailwater.delivery.pack;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What packs hold of one stream. Not changed once it is public. */
public final class HeldStream {
  /** A file is compared with at least this much of what was delivered of it last. */
  private static final long COMPARED_BYTES = 1 << 20;

  private final StreamId stream;
  private final PosixPath birthPath;
  private final String streamPrefix;
  private final RangeSet ranges = new RangeSet();
  private final HeldSums sums = new HeldSums();
  private Optional<HeldRun> before = Optional.empty();
  private Optional<HeldRun> last = Optional.empty();
  private PosixPath path;
  private long toldAtMillis;
  private int permissions;
  private Optional<FileOwner> owner;
  private long lastRevision;
  private final RangeSet replaced = new RangeSet();
  private RangeSet lastReplaced = new RangeSet();
  private Optional<HeldRun> replacedLast = Optional.empty();
  private boolean ended;

  /** Whether its end is one after which no byte can follow. */
  private boolean endedForGood;

  /** The ranges that are said to be lost. */
  private Optional<RangeSet> lost = Optional.empty();

  private boolean changedInPlace;
  private OptionalLong emptySinceNanos = OptionalLong.empty();

  /** The time that is told last; empty if the agent cannot read it. */
  private OptionalLong modificationTimeNanos = OptionalLong.empty();

  /** As of when that is told, by the agent's clock; no time is told before. */
  private long timeAtMillis = Long.MIN_VALUE;

  HeldStream(PackedStream stream, String streamPrefix) {
    this.stream = stream.stream();
    this.birthPath = stream.birthPath();
    this.path = stream.path();
    this.permissions = stream.permissions();
    this.owner = stream.owner();
    this.streamPrefix = streamPrefix;
  }

  /**
   * Adds a range.
   *
   * @param encrypted whether its pack is: then the directory that the agent reads has the time of
   *     sealing in place of the file's
   * @param sealedAtMillis when it was sealed, by the agent's clock
   */
  void add(PackedRange range, boolean encrypted, long sealedAtMillis) {
    noteTime(
        encrypted ? OptionalLong.empty() : OptionalLong.of(range.modificationTimeNanos()),
        sealedAtMillis);
    sums.add(range);
    if (range.revision() > 0) {
      noteRevision(range);
      noteReplaced(range.range());
      return;
    }
    ranges.add(range.range());
    HeldRun added = new HeldRun(range.range(), range.rawCrc32c(), range.modificationTimeNanos());
    if (last.isPresent() && last.get().isContinuedBy(added)) {
      if (last.get().range().lengthBytes() < COMPARED_BYTES) {
        last = Optional.of(last.get().with(added));
        return;
      }
      before = last;
    } else if (last.isPresent() && last.get().range().endBytes() > range.range().endBytes()) {
      return;
    } else {
      before = Optional.empty();
    }
    last = Optional.of(added);
  }

  /** The time that is told last counts, as it does for readers. */
  private void noteTime(OptionalLong timeNanos, long atMillis) {
    if (atMillis >= timeAtMillis) {
      modificationTimeNanos = timeNanos;
      timeAtMillis = atMillis;
    }
  }

  private void noteRevision(PackedRange range) {
    if (range.revision() > lastRevision) {
      lastRevision = range.revision();
      lastReplaced = new RangeSet();
    }
    if (range.revision() == lastRevision) {
      lastReplaced.add(range.range());
      replacedLast =
          Optional.of(new HeldRun(range.range(), range.rawCrc32c(), range.modificationTimeNanos()));
    }
    replaced.add(range.range());
  }

  /** The sums of first bytes say nothing any more about a file in which they were replaced. */
  private void noteReplaced(ByteRange range) {
    boolean touched =
        furthest()
            .filter(run -> run.range().startBytes() < range.endBytes())
            .filter(run -> range.startBytes() < run.range().endBytes())
            .isPresent();
    if (touched) {
      before = Optional.empty();
      last = Optional.empty();
    }
  }

  /**
   * Adds a fact.
   *
   * @param besideRange whether its pack has a range of the stream, which tells the time
   */
  void add(StreamFact fact, boolean besideRange) {
    switch (fact) {
      case StreamFact.Renamed renamed -> path = renamed.path();
      case StreamFact.Attributes attributes -> {
        permissions = attributes.permissions();
        if (!besideRange) {
          noteTime(OptionalLong.of(attributes.modificationTimeNanos()), attributes.seenAtMillis());
        }
        if (attributes.sizeBytes() == 0) {
          emptySinceNanos = OptionalLong.of(attributes.modificationTimeNanos());
        }
      }
      case StreamFact.Ended end -> {
        ended = true;
        endedForGood = end.reason().isFinal();
      }
      case StreamFact.Continued _ -> {
        ended = false;
        endedForGood = false;
      }
      case StreamFact.Missing missing -> lost().add(missing.range());
      case StreamFact.ChangedInPlace changed -> changedInPlace = changed.changed();
      case StreamFact.Dropped _ -> {}
    }
  }

  private RangeSet lost() {
    if (lost.isEmpty()) {
      lost = Optional.of(new RangeSet()); // Few streams need one.
    }
    return lost.get();
  }

  /** Notes when a pack says something of it. */
  void toldAt(long millis) {
    toldAtMillis = Math.max(toldAtMillis, millis);
  }

  /** Notes where it is, and with which attributes, as a later pack has it. */
  void describe(PackedStream now) {
    path = now.path();
    permissions = now.permissions();
    owner = now.owner().or(() -> owner);
  }

  public StreamId stream() {
    return stream;
  }

  public PosixPath birthPath() {
    return birthPath;
  }

  public String streamPrefix() {
    return streamPrefix;
  }

  public RangeSet ranges() {
    return ranges;
  }

  /**
   * Returns the range that reaches furthest, with the adjacent ones before it: one alone may be too
   * short to tell a file from another one.
   */
  public Optional<HeldRun> furthest() {
    return before.isPresent() ? last.map(run -> before.get().with(run)) : last;
  }

  /** Returns a range that replaced others, and that nothing has replaced since. */
  public Optional<HeldRun> replacedLast() {
    return replacedLast;
  }

  /** Returns the ranges of which no byte was replaced later; adjacent ones may be one. */
  public List<HeldRun> latestRuns() {
    return sums.latest();
  }

  /** Returns the latest mtime that the file had when bytes were read; empty if there are none. */
  public OptionalLong readWithNanos() {
    return sums.readWithNanos();
  }

  /** Returns whether some bytes of a range were replaced. */
  public boolean replaces(ByteRange range) {
    return replaced.ranges().stream()
        .anyMatch(
            one -> one.startBytes() < range.endBytes() && range.startBytes() < one.endBytes());
  }

  /** Returns the highest revision of its bytes; 0 if none were replaced. */
  public long lastRevision() {
    return lastRevision;
  }

  /** Returns whether it ended for good, and bytes of it are lost that no range holds. */
  public boolean endedWithLoss() {
    return endedForGood
        && lost.stream()
            .flatMap(all -> all.ranges().stream())
            .anyMatch(range -> !ranges.missing(range).isEmpty());
  }

  /** Tells a stream that is found again what readers of the archive know of it. */
  public void tell(StreamProgress found) {
    found.toldAt(toldAtMillis);
    found.archiveSays(path, ended, changedInPlace, emptySinceNanos);
    found.states(permissions, owner);
    if (timeAtMillis > Long.MIN_VALUE) {
      modificationTimeNanos.ifPresentOrElse(
          time -> found.statesTime(time, timeAtMillis),
          () -> found.statesUnreadableTime(timeAtMillis));
    }
    found.holdsRevisions(lastRevision, replaced, lastReplaced);
  }
}
