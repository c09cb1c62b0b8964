package dev.tailwater.delivery.keeper;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.PreviousRun;
import dev.tailwater.delivery.checkpoint.ForgottenFiles;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How a lane goes on from earlier runs: it gives each file the stream that the file was at, once
 * its destination is connected, and ends the streams whose files the first scan has not found. Used
 * by the watch thread only, except before that is started.
 */
public final class LaneStart {
  private final LaneTools lane;
  private final KnownStreams known;
  private final CheckpointStore checkpoints;
  private final PreviousRun previous;

  /**
   * Whether a file that is there at the start may be partly delivered although nothing is known of
   * it.
   */
  private final boolean doubtNewFiles;

  /** Whether the destination may hold more of some files than the state knows. */
  private boolean mayHoldMore;

  private final StreamChoice streams;
  private final UnregisteredStreams unregistered;

  /** The tails that got a stream before it was certain which one is theirs. */
  private final Set<Tail> unidentified = new HashSet<>();

  private final ClaimedStreams claimed = new ClaimedStreams();
  private boolean connected;

  /** Whether it is known what the destination holds. */
  private boolean toldHoldings;

  /** Whether the next start asks the destination even if this run completes its first scan. */
  private boolean nextStartAsks;

  private boolean firstScanSettled;

  /**
   * Creates the start of a lane that is not connected.
   *
   * @param previous how the run before ended; after none, the next start asks the destination what
   *     it holds, unless this run has recorded all files that its first scan finds
   */
  public LaneStart(LaneTools lane, PreviousRun previous, CheckpointStore checkpoints) {
    this.lane = lane;
    this.known = lane.known();
    this.checkpoints = checkpoints;
    this.previous = previous;
    this.doubtNewFiles = previous == PreviousRun.INTERRUPTED;
    this.mayHoldMore = previous != PreviousRun.CLEAN;
    this.streams = new StreamChoice(known, lane.clocks());
    this.unregistered = new UnregisteredStreams(lane.saver(), previous == PreviousRun.NONE);
  }

  /** Returns whether the destination has told what it holds, or need not be asked. */
  boolean isConnected() {
    return connected;
  }

  /**
   * Makes sure that each tail is at its stream, with what the destination has told. May be called
   * again when it has failed.
   *
   * @param onlyHoldingsCount whether what the table of files said was wrong
   * @param tails of the files that are in memory
   * @param nextStartAsks whether the next start must ask the destination again
   */
  void connect(
      Map<StreamId, Holding> holdings,
      boolean onlyHoldingsCount,
      Collection<Tail> tails,
      boolean nextStartAsks)
      throws IOException {
    if (!toldHoldings) {
      toldHoldings = true;
      known.addHoldings(holdings, onlyHoldingsCount || previous == PreviousRun.NONE);
      if (onlyHoldingsCount) {
        mayHoldMore = true;
        unidentified.addAll(tails);
      }
    }
    for (Tail tail : tails) {
      if (unidentified.contains(tail)) {
        identify(tail);
        unidentified.remove(tail);
        lane.lookAgain(tail);
      }
    }
    // Only now: nothing may be delivered under a name that is not certain.
    claimed.clear();
    connected = true;
    this.nextStartAsks = nextStartAsks;
  }

  private void identify(Tail tail) throws IOException {
    WatchedFile file = tail.file();
    Optional<StreamProgress> held = claimed.claim(file.identity(), () -> streams.claimKnown(file));
    StreamProgress stream = held.isPresent() ? held.get() : streams.ofTail(tail);
    unregistered.add(stream);
    tail.identify(stream, held.isEmpty() && !doubtNewFiles && isOfThisAgent(stream));
  }

  /** Returns whether the listing, which is of this agent's name only, covers the stream. */
  private boolean isOfThisAgent(StreamProgress stream) {
    return stream.agent().equals(known.agent());
  }

  /** Begins the tail of a file, which the caller attaches once the file's size was seen. */
  Tail begin(WatchedFile file, boolean firstScan) throws IOException {
    Optional<StreamProgress> before = streams.claimKnown(file);
    StreamProgress stream = before.isPresent() ? before.get() : streams.ofNewFile(file);
    boolean doubtful =
        before.isPresent()
            || (doubtNewFiles && (firstScan || streams.mayBeOlder(file)))
            || !isOfThisAgent(stream);
    boolean identified = before.isPresent() || connected;
    Tail tail = new Tail(file, lane.number(), stream, connected && !doubtful, identified);
    if (!identified) {
      unidentified.add(tail); // Recorded only once it is certain that this is the stream.
    } else {
      unregistered.add(stream);
    }
    return tail;
  }

  /**
   * Records new streams, with one sync for all, unless the next start would find out at the
   * destination.
   */
  void recordNewStreams() {
    unregistered.settle();
  }

  /**
   * Returns the stream of a file that an earlier run has left, as the table of files has it, if the
   * archive can have no more of it; empty where that takes more to tell.
   */
  public Optional<StreamProgress> present(FileIdentity identity) throws IOException {
    return connected && !doubtNewFiles ? known.present(identity) : Optional.empty();
  }

  /**
   * Returns the identity with which an earlier run most likely knew a file that is not open; empty
   * where only its descriptor tells it. Whoever uses it must compare all of the status.
   */
  public Optional<FileIdentity> likelyIdentity(FileStatus status, long fileSystemId) {
    return known.likelyIdentity(status, fileSystemId);
  }

  /** Returns whether some stream may be {@link #present}. */
  public boolean mayHavePresent() {
    return connected && !doubtNewFiles && !known.isFirstRun();
  }

  /** Notes that a file was found, and goes on with the stream that is {@link #present}. */
  public void found(FileIdentity identity) {
    known.found(identity);
  }

  /**
   * Ends the known streams whose files the first scan has not found, unless those could not be
   * looked at. Does nothing before the destination is connected.
   *
   * @param outOfSight tells which archived paths could not be looked at
   */
  public void firstScanDone(Predicate<PosixPath> outOfSight) {
    if (firstScanSettled || !connected) {
      return;
    }
    firstScanSettled = true;
    noteFirstLook();
    long nowMillis = lane.clocks().millis();
    try {
      known.settle(stream -> settle(stream, outOfSight, nowMillis));
    } catch (IOException e) {
      lane.saver().reportFailed(e); // The next start finds out what has vanished.
    }
  }

  /** Ends a stream whose file was not found; false if that could not be looked at. */
  private boolean settle(StreamProgress stream, Predicate<PosixPath> outOfSight, long nowMillis) {
    if (outOfSight.test(stream.path())) {
      return false;
    }
    // After an interrupted run the archive may hold more of a stream than its checkpoint says, and
    // may not say yet how it ended; nor does it where that was given up.
    if (stream.ending().isEmpty()) {
      known.ended(stream);
      lane.deliverer().endVanished(stream, doubtNewFiles, nowMillis);
    } else if (doubtNewFiles || stream.hasUnsaid()) {
      known.ended(stream);
      lane.deliverer().describe(stream);
    }
    return true;
  }

  private void noteFirstLook() {
    unregistered.firstScanDone();
    if (!nextStartAsks) {
      lane.saver().note("settled", checkpoints::settled);
    }
    lane.saver().note("looked", checkpoints::looked);
  }

  /**
   * Returns whether the state knows of all files what the destination holds of them. It does not as
   * long as an earlier run was killed and the destination could not be asked about some file since:
   * then the next start must ask it, even if this run ends in order. For the end of the agent, when
   * nothing is watched any more.
   *
   * @param tails of the files that are in memory
   * @param nothingWaits whether every file that was found could be opened
   */
  public boolean isCertain(Collection<Tail> tails, boolean nothingWaits) {
    return !mayHoldMore
        || (nothingWaits && known.isEachLookedAt() && tails.stream().allMatch(Tail::isResumed));
  }

  /** Forgets the checkpoints of files that have been out of sight since then. */
  public void forgetUnseenSince(long millis) throws IOException {
    List<StreamProgress> unseen = known.unseenSince(millis);
    ForgottenFiles forgotten = checkpoints.forgotten(millis);
    for (StreamProgress stream : unseen) {
      forgotten = forgotten.with(stream.identity());
    }
    if (!unseen.isEmpty()) {
      checkpoints.noteForgotten(forgotten);
      lane.saver().forgetAll(unseen);
    }
    streams.forgot(forgotten);
  }
}
