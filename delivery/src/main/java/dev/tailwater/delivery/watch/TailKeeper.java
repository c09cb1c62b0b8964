package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.checkpoint.Checkpoint;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.Ending;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.tail.SharedDescriptor;
import dev.tailwater.delivery.tail.StreamNames;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the watch does for one destination: begins, schedules and ends its tails.
 *
 * <p>Until the destination has told what it holds, where that must be asked, the tails only hold
 * their files and count what is at risk; nothing is read for it. Used by the watch thread only,
 * except before it is started.
 */
public final class TailKeeper {
  private final LaneTools lane;
  private final ObserverSettings settings;
  private final List<StreamProgress> unregistered = new ArrayList<>();
  private final List<Tail> unscheduled = new ArrayList<>();
  private final Set<Tail> unidentified = new HashSet<>();
  private boolean connected;
  private boolean askedForGood;
  private boolean firstScanSettled;

  /**
   * What belongs to one destination.
   *
   * @param number among the agent's destinations
   * @param required whether bytes are at risk until they are durable there
   * @param doubtNewFiles whether a file that is there at the start may be partly delivered although
   *     nothing is known of it
   */
  public record LaneTools(
      int number,
      boolean required,
      boolean doubtNewFiles,
      KnownStreams known,
      DueQueue queue,
      Deliverer deliverer,
      CheckpointStore checkpoints,
      CheckpointSaver saver,
      Problems problems) {}

  public TailKeeper(LaneTools lane, ObserverSettings settings) {
    this.lane = lane;
    this.settings = settings;
  }

  boolean isRequired() {
    return lane.required();
  }

  /**
   * The destination has told what it holds, or need not be asked: delivery begins.
   *
   * @param holdings of the destination, where checkpoints may not know all streams
   * @param asksNoMore whether the next start may do without them
   */
  public void connect(
      Map<StreamId, Inventory.Holding> holdings, FileRegistry registry, boolean asksNoMore) {
    lane.known().addHoldings(holdings);
    connected = true;
    askedForGood = asksNoMore;
    for (Tail tail : registry.tails(lane.number())) {
      if (unidentified.remove(tail)) {
        identify(tail);
        lookAgain(tail);
      }
      unscheduled.add(tail);
    }
    settleNewTails();
  }

  /** Nobody else may: another destination's worker may read what there is for this one, too. */
  private void lookAgain(Tail tail) {
    try {
      tail.refresh(settings.nanoClock().getAsLong(), settings.clockMillis().getAsLong());
    } catch (ErrnoException e) {
      lane.problems()
          .report(tail.name().toString(), e, "the file stays at risk and is tried again");
    }
  }

  private void identify(Tail tail) {
    WatchedFile file = tail.file();
    Optional<StreamProgress> held = lane.known().claim(file.identity(), file.archivedName());
    StreamProgress stream =
        held.or(() -> tail.isShrunk() ? beforeTruncation(file) : elsewhere(file))
            .orElseGet(tail::stream);
    tail.identify(stream, held.isEmpty() && !lane.doubtNewFiles() && isOfThisAgent(stream));
    if (!stream.isRegistered()) {
      unregistered.add(stream);
    }
  }

  /** What other destinations call the file's stream, or will call it when they look. */
  private Optional<StreamProgress> elsewhere(WatchedFile file) {
    long nowMillis = settings.clockMillis().getAsLong();
    return StreamNames.present(file)
        .map(stream -> StreamProgress.sameAs(stream, file.archivedName(), nowMillis))
        .or(
            () ->
                StreamNames.latest(file)
                    .map(over -> over.id().withEpoch(over.id().epoch() + 1))
                    .map(next -> begun(file, next)));
  }

  /**
   * What other destinations called the stream that was truncated before this one could be asked:
   * its end, and what is lost of it here, belong on record under that name.
   */
  private Optional<StreamProgress> beforeTruncation(WatchedFile file) {
    return StreamNames.present(file)
        .filter(stream -> stream.id().epoch() > 0)
        .map(stream -> begun(file, stream.id().withEpoch(stream.id().epoch() - 1)))
        .or(
            () ->
                StreamNames.latest(file)
                    .map(
                        stream ->
                            StreamProgress.sameAs(
                                stream, file.archivedName(), settings.clockMillis().getAsLong())));
  }

  /** What the destination holds under an earlier name of the agent was not listed. */
  private boolean isOfThisAgent(StreamProgress stream) {
    return stream.agent().equals(settings.agent());
  }

  /** Sees to it that the file has a tail, and that what is in it is delivered. */
  void attend(WatchedFile file, boolean firstScan) throws ErrnoException {
    Tail tail = file.tail(lane.number()).orElseGet(() -> begin(file, firstScan));
    tail.refresh(settings.nanoClock().getAsLong(), settings.clockMillis().getAsLong());
    unscheduled.add(tail);
  }

  private Tail begin(WatchedFile file, boolean firstScan) {
    Optional<StreamProgress> before = lane.known().claim(file.identity(), file.archivedName());
    StreamProgress stream = before.or(() -> elsewhere(file)).orElseGet(() -> firstOf(file));
    boolean doubtful =
        before.isPresent() || (firstScan && lane.doubtNewFiles()) || !isOfThisAgent(stream);
    boolean identified = before.isPresent() || connected;
    Tail tail = new Tail(file, lane.number(), stream, connected && !doubtful, identified);
    file.attach(tail);
    if (!identified) {
      unidentified.add(tail); // Not on record before it is known whether it is this stream.
    } else if (!stream.isRegistered()) {
      unregistered.add(stream);
    }
    return tail;
  }

  private StreamProgress firstOf(WatchedFile file) {
    return begun(file, StreamId.of(settings.agent(), file.identity(), 0));
  }

  private StreamProgress begun(WatchedFile file, StreamId id) {
    return StreamProgress.begin(
        settings.agent(),
        file.identity(),
        id,
        file.archivedName(),
        settings.clockMillis().getAsLong());
  }

  /** New streams must be on record before a byte of them is delivered; one sync serves them all. */
  void settleNewTails() {
    if (!connected) {
      unscheduled.clear(); // connect() schedules them all.
      return;
    }
    if (!unregistered.isEmpty()) {
      lane.saver().saveAll(unregistered);
      unregistered.clear();
    }
    unscheduled.forEach(lane.queue()::schedule);
    unscheduled.clear();
  }

  /** Looks at the file. */
  void refresh(WatchedFile file) throws ErrnoException {
    Optional<Tail> tail = file.tail(lane.number());
    if (tail.isPresent()) {
      refresh(tail.get());
    }
  }

  private void refresh(Tail tail) throws ErrnoException {
    tail.refresh(settings.nanoClock().getAsLong(), settings.clockMillis().getAsLong());
    schedule(tail);
  }

  private void schedule(Tail tail) {
    if (connected) {
      lane.queue().schedule(tail);
    }
  }

  /** The file was written to. */
  void modified(WatchedFile file) {
    file.tail(lane.number())
        .ifPresent(
            tail -> {
              tail.suspect();
              schedule(tail);
            });
  }

  /** Another name leads to the file than the archive knows. */
  void renamed(WatchedFile file) {
    file.tail(lane.number())
        .filter(Tail::isIdentified)
        .ifPresent(tail -> lane.deliverer().describe(tail.stream()));
  }

  /**
   * The first scan is complete: what was known and not found has vanished meanwhile, unless it is
   * only that it could not be looked at. Nothing happens before the destination has told what it
   * holds.
   */
  void firstScanDone(Predicate<PosixPath> outOfSight) {
    if (firstScanSettled || !connected) {
      return;
    }
    firstScanSettled = true;
    noteFirstLook();
    long nowMillis = settings.clockMillis().getAsLong();
    for (StreamProgress stream : lane.known().waiting()) {
      if (outOfSight.test(settings.names().here(stream.path()))) {
        continue;
      }
      // After an interrupted run the archive may hold more of a stream than its checkpoint says,
      // and may not say yet how it ended.
      if (stream.ending().isEmpty()) {
        lane.deliverer().endVanished(stream, lane.doubtNewFiles(), nowMillis);
      } else if (lane.doubtNewFiles()) {
        lane.deliverer().describe(stream);
      }
    }
  }

  private void noteFirstLook() {
    try {
      if (askedForGood) {
        lane.checkpoints().settled();
      }
      lane.checkpoints().looked();
    } catch (IOException e) {
      CheckpointSaver.report(lane.problems(), e);
    }
  }

  /** Whether there is nothing to do for the tail, and has not been for the grace. */
  private boolean isDone(Tail tail, WatchedFile file, boolean endNameless) {
    if (tail.hasWork() || tail.atRiskBytes() > 0 || tail.isSuspectedOfChange()) {
      return false;
    }
    long now = settings.nanoClock().getAsLong();
    long graceNanos = settings.goneGrace().toNanos();
    return endNameless
        || (now - file.namelessSinceNanos().orElse(now) >= graceNanos
            && now - tail.lastGrowthNanos() >= graceNanos);
  }

  /** Ends the tail of a file without a name, if this destination has all of it. */
  void endIfDone(WatchedFile file, boolean endNameless) throws ErrnoException {
    Optional<Tail> found = file.tail(lane.number());
    if (found.isEmpty()) {
      return;
    }
    Tail tail = found.get();
    if (!isDone(tail, file, endNameless) || !lane.queue().tryClaim(tail)) {
      return;
    }
    try {
      refresh(tail);
      if (!tail.hasWork()) {
        end(tail, file);
      }
    } finally {
      lane.queue().release(tail);
    }
  }

  private void end(Tail tail, WatchedFile file) throws ErrnoException {
    boolean deleted = isDeleted(file);
    tail.end(); // Nobody moves it on any more.
    StreamProgress stream = tail.stream();
    stream.end(
        new Ending(
            deleted ? StreamRecord.EndReason.DELETED : StreamRecord.EndReason.MOVED_AWAY,
            tail.positionBytes(),
            tail.positionBytes(),
            settings.clockMillis().getAsLong()));
    file.detach(tail);
    if (!deleted) {
      lane.known().park(stream);
    }
    lane.deliverer().describe(stream);
  }

  private static boolean isDeleted(WatchedFile file) throws ErrnoException {
    Optional<SharedDescriptor.Lease> lease = file.lease();
    if (lease.isEmpty()) {
      return false;
    }
    try (SharedDescriptor.Lease open = lease.get()) {
      return open.calls().fstat(open.fd()).links() == 0;
    }
  }

  /** Claims the file's tail, if nothing of it is at risk: its descriptor is not needed now. */
  boolean tryClaimQuiet(WatchedFile file) {
    Optional<Tail> found = file.tail(lane.number());
    if (found.isEmpty()) {
      return true;
    }
    Tail tail = found.get();
    return !tail.hasWork() && tail.atRiskBytes() == 0 && lane.queue().tryClaim(tail);
  }

  /** Gives back what {@link #tryClaimQuiet} claimed. */
  void release(WatchedFile file) {
    file.tail(lane.number()).ifPresent(lane.queue()::release);
  }

  /** What kept the file from being read is over. */
  void resolved(String subject) {
    lane.problems().resolved(subject);
  }

  /** Forgets checkpoints of files that have been out of sight for so long. */
  public void forgetUnseenSince(long millis) {
    List<StreamId> forgotten = new ArrayList<>();
    for (StreamProgress stream : lane.known().waiting()) {
      Checkpoint checkpoint = stream.checkpoint();
      if (checkpoint.ending().isPresent() && checkpoint.seenAtMillis() < millis) {
        lane.known().forget(stream);
        forgotten.add(stream.id());
      }
    }
    lane.saver().forgetAll(forgotten);
  }
}
