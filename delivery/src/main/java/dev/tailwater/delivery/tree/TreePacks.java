package dev.tailwater.delivery.tree;

import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.TreeStatement;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.list.ListedEntries;
import dev.tailwater.destination.retry.OwnObject;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The packs that tell directories, at one destination. They are put one after the other. What was
 * said counts once {@link #end} has returned; after a failure, a new group begins. For one thread.
 */
final class TreePacks implements TreeSurvey.Statements {
  /** So many packs state changes; then a new group states everything, and readers need no more. */
  private static final int MAX_NUMBER = 256;

  private static final int STAGING_BYTES = 1 << 20;

  private final Destination destination;
  private final String agent;
  private final Supplier<PackSealer> sealers;
  private final SecureRandom random;
  private final Clocks clocks;
  private final GroupBound bound;
  private final Consumer<PackId> delivered;
  private Optional<PackGroup> group = Optional.empty();
  private int number;
  private long lookedAtMillis;
  private Optional<PackSealer> sealer = Optional.empty();
  private boolean open;
  private boolean whole;

  /**
   * Creates what puts packs.
   *
   * @param bound behind which groups the agent begins its own
   * @param delivered told each pack that is durable
   */
  TreePacks(
      Destination destination,
      String agent,
      Supplier<PackSealer> sealers,
      SecureRandom random,
      Clocks clocks,
      GroupBound bound,
      Consumer<PackId> delivered) {
    this.destination = destination;
    this.agent = agent;
    this.sealers = sealers;
    this.random = random;
    this.clocks = clocks;
    this.bound = bound;
    this.delivered = delivered;
  }

  /**
   * Goes on where an earlier run ended, as its notes say. Where the destination has packs behind
   * those, the run died or could not save its notes, and what it told since need not be true any
   * more: then a new group begins behind all of them.
   *
   * @param isTold whether all that is there was told by the packs of the notes
   */
  void resume(PackGroup noted, int nextNumber, boolean isTold) throws DestinationException {
    String behind = PackName.subject(new PackId(agent, noted, nextNumber), PackName.Folder.TREE);
    Optional<PackGroup> later = latestThere(Optional.of(behind));
    group = Optional.of(later.orElse(noted));
    number = isTold && later.isEmpty() ? nextNumber : 0;
  }

  /**
   * Notes when a pass begins to look. Packs tell that time: what comes to a path afterwards is
   * newer than what they say of it.
   *
   * @param lookMillis in the order of arrivals, which may be ahead of the clock
   */
  void beginPass(long lookMillis) {
    lookedAtMillis = lookMillis;
  }

  /** Returns whether a new group must state everything before anything else is said. */
  boolean mustBeginGroup() {
    return group.isEmpty() || number == 0 || number >= MAX_NUMBER;
  }

  /** Begins a group, which is to state the whole tree. */
  void beginGroup() throws DestinationException {
    long nowNanos = TimeUnit.MILLISECONDS.toNanos(clocks.millis());
    Optional<PackGroup> before = group.isPresent() ? group : latestThere(Optional.empty());
    group =
        Optional.of(
            before
                .map(earlier -> PackGroup.beginAfter(earlier, nowNanos, random))
                .orElseGet(() -> PackGroup.begin(nowNanos, random)));
    number = 0;
    whole = true;
  }

  /**
   * Returns the last group that the destination has, and that the agent may have begun, so that the
   * next sorts behind it.
   */
  private Optional<PackGroup> latestThere(Optional<String> afterKey) throws DestinationException {
    Optional<PackGroup> latest = Optional.empty();
    String prefix = PackName.prefix(agent, PackName.Folder.TREE);
    ListedEntries all = new ListedEntries(destination, prefix, afterKey);
    // In the order of the groups.
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      Optional<PackGroup> found =
          PackName.parse(next.get().key(), PackName.Folder.TREE)
              .map(name -> name.id().group())
              .filter(bound::allows);
      latest = found.isPresent() ? found : latest;
    }
    return latest;
  }

  @Override
  public void say(TreeStatement statement) throws IOException {
    if (open && !sealer().hasRoomFor(statement)) {
      put();
    }
    if (!open) {
      begin(Math.max(STAGING_BYTES, PackSealer.maxBytes(statement) + STAGING_BYTES / 2));
    }
    sealer().say(statement);
  }

  private PackSealer sealer() {
    if (sealer.isEmpty()) {
      sealer = Optional.of(sealers.get());
    }
    return sealer.get();
  }

  private void begin(int stagingBytes) {
    PackId id = new PackId(agent, group.orElseThrow(), number, number);
    sealer().begin(new byte[stagingBytes], id, stagingBytes - STAGING_BYTES / 8);
    open = true;
  }

  /** Puts what is left. */
  void end() throws IOException {
    if (whole && !open) {
      begin(STAGING_BYTES);
    }
    if (open) {
      if (whole) {
        sealer().sayWhole();
      }
      put();
    }
    whole = false;
    close();
  }

  private void put() throws DestinationException {
    SealedPack pack = sealer().finish(lookedAtMillis);
    open = false;
    if (!OwnObject.put(destination, pack.name().key(), pack.content())) {
      throw new PermanentDestinationException(
          destination.uri(),
          "put",
          pack.name().key(),
          "there is an object of that name with other bytes",
          "Directories are told again under another name.");
    }
    delivered.accept(pack.name().id());
    number++;
  }

  /** Returns the group that tells the whole tree. */
  PackGroup group() {
    return group.orElseThrow();
  }

  /** Returns the number of the next pack. */
  int nextNumber() {
    return number;
  }

  /** Gives up what was not put: everything is to be said again. */
  void abandon() {
    number = 0;
    open = false;
    whole = false;
    close();
  }

  private void close() {
    sealer.ifPresent(PackSealer::close);
    sealer = Optional.empty();
  }
}
