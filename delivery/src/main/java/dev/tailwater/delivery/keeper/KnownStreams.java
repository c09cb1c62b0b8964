package dev.tailwater.delivery.keeper;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.Beginning;
import dev.tailwater.delivery.checkpoint.FileTable;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamOrigin;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The streams whose files are out of sight or have not been found yet: from the table of files or,
 * when the local state is lost, from the destination's listing. Used by the watch thread only.
 */
public final class KnownStreams {
  private final String agent;
  private final FileTable files;

  /** The files that this run has found; once it has settled, of those that were out of sight. */
  private IdentitySet found = new IdentitySet();

  /** The files that could not be looked at when this run settled. */
  private final IdentitySet outOfSight = new IdentitySet();

  private int stillOutOfSight;

  /** Identities under which files were known that have another one now. */
  private IdentitySet before = new IdentitySet();

  /** Whether earlier runs have left no row in the table. */
  private final boolean isFirstRun;

  /** How many rows that an earlier run has left are of files that are not found yet; at most. */
  private long rowsNotFound;

  private boolean settled;

  /** The streams that ended in this run, as long as the table may not know all about them. */
  private final Map<FileIdentity, StreamProgress> gone = new LinkedHashMap<>();

  /** Streams of lower epochs are of another state. */
  private int firstEpoch;

  /** What the destination holds of the latest stream of each file, by the file's first stream. */
  private final Map<StreamId, Map.Entry<StreamId, Holding>> atDestination = new HashMap<>();

  /** Whether the destination alone tells of all streams. */
  private boolean stateLost;

  private final List<StreamProgress> ended = new ArrayList<>();

  /**
   * Reads which streams had ended before this run, and only await their last delivery. Nothing is
   * read of the others.
   */
  public KnownStreams(String agent, FileTable files, Beginning beginning) throws IOException {
    this.agent = agent;
    this.files = files;
    this.firstEpoch = beginning.firstEpoch();
    this.isFirstRun = files.isEmpty();
    this.rowsNotFound = files.filesAtOpening().orElse(Long.MAX_VALUE);
    for (Checkpoint checkpoint : files.ended()) {
      if (isFinal(checkpoint)) {
        ended.add(StreamProgress.resume(files.withBlockSums(checkpoint)));
      }
    }
  }

  private static boolean isFinal(Checkpoint checkpoint) {
    return checkpoint.ending().filter(Ending::isFinal).isPresent();
  }

  /** Returns the name under which new streams are archived. */
  String agent() {
    return agent;
  }

  /** Begins anew, behind streams of which the agent cannot tell what is delivered. */
  public void beginAnew(Beginning beginning) {
    firstEpoch = beginning.firstEpoch();
  }

  /** Forgets what was read of the table of files, which is empty now. */
  public void forget() {
    ended.clear();
    before = new IdentitySet();
    rowsNotFound = 0;
  }

  /** Returns whether earlier runs have left nothing. */
  boolean isFirstRun() {
    return isFirstRun;
  }

  /** Returns the epoch of the first stream of a file of which nothing is known. */
  int firstEpoch() {
    return firstEpoch;
  }

  /**
   * Adds what the destination holds; of each file only the latest stream counts.
   *
   * @param stateLost whether the table of files knew nothing, or what it said was wrong; else what
   *     it does not know was delivered right before the last run was killed
   */
  public void addHoldings(Map<StreamId, Holding> holdings, boolean stateLost) {
    this.stateLost = stateLost;
    holdings.forEach(
        (id, holding) -> {
          if (id.epoch() >= firstEpoch) {
            atDestination.merge(
                id.withEpoch(0),
                Map.entry(id, holding),
                (a, b) -> a.getKey().epoch() > b.getKey().epoch() ? a : b);
          }
        });
  }

  /**
   * Returns the stream that the file was at, if it is known; whoever asks goes on with it. Where it
   * cannot be read, it can be asked for again.
   */
  Optional<StreamProgress> claim(FileIdentity identity, PosixPath path) throws IOException {
    Optional<StreamProgress> known = waitingFor(identity);
    if (!settled) {
      found.add(identity);
    } else if (outOfSight.contains(identity) && found.add(identity)) {
      stillOutOfSight--;
    }
    if (known.isPresent()) {
      StreamProgress stream = known.get();
      if (mayBeOfAnother(stream, path)) {
        stream.uncompared(true);
        stream.suspected(true);
      }
      stream.reopen();
      return known;
    }
    // Most destinations need not be asked, and an id costs a hash.
    Map.Entry<StreamId, Holding> held =
        atDestination.isEmpty() ? null : atDestination.remove(StreamId.of(agent, identity, 0));
    if (held == null) {
      return Optional.empty();
    }
    Holding holding = held.getValue();
    StreamProgress stream =
        StreamProgress.rediscover(
            identity,
            new StreamOrigin(held.getKey(), holding.birthPath(), holding.streamPrefix()),
            path);
    holding.tell(stream);
    if (stateLost) {
      stream.supposesUnreadableTimes();
    }
    if (holding.furthestSegment().isPresent()) {
      stream.holdsUnknownHeaders();
    }
    return Optional.of(stream);
  }

  /**
   * Returns whether a file may have the identity of another one, at whose stream it seems to be.
   * Where inodes have no generations, as on FAT and FUSE, numbers may be given out anew with every
   * mount; only the name tells that a file is the same then.
   */
  private static boolean mayBeOfAnother(StreamProgress stream, PosixPath path) {
    return stream.identity().generation().isEmpty() && !stream.path().equals(path);
  }

  /**
   * Returns the stream of an earlier run that a file was at, and that had not ended; empty where it
   * takes more to tell that. Nobody goes on with it yet.
   */
  Optional<StreamProgress> present(FileIdentity identity) throws IOException {
    if (settled || gone.containsKey(identity) || before.contains(identity)) {
      return Optional.empty();
    }
    List<Checkpoint> row = files.findWithShortSums(identity);
    if (!isAllOf(row, identity)) {
      return Optional.empty();
    }
    Optional<Checkpoint> latest = Optional.empty();
    for (Checkpoint checkpoint : row) {
      if (!isFinal(checkpoint)) {
        latest = later(latest, checkpoint);
      }
    }
    if (latest.filter(checkpoint -> checkpoint.ending().isEmpty()).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(StreamProgress.resume(files.withLongSums(latest.get())));
  }

  /** Returns the identity with which an earlier run most likely knew a file. */
  Optional<FileIdentity> likelyIdentity(FileStatus status, long fileSystemId) {
    return files.likelyIdentity(status, fileSystemId);
  }

  /** Notes that this run has found a file whose stream is {@link #present}. */
  void found(FileIdentity identity) {
    if (found.add(identity)) {
      rowsNotFound--;
    }
  }

  /** Returns whether a row is about one file only, wherever others with its numbers may be. */
  private static boolean isAllOf(List<Checkpoint> row, FileIdentity identity) {
    return row.stream().allMatch(checkpoint -> checkpoint.identity().equals(identity));
  }

  /** Returns what the table knows of a file that may have left memory in this run. */
  Optional<Checkpoint> away(FileIdentity identity) throws IOException {
    if (gone.containsKey(identity) || (!settled && !found.contains(identity))) {
      return Optional.empty(); // It came back before, and has ended; or this run has not found it.
    }
    Optional<Checkpoint> latest = Optional.empty();
    for (Checkpoint checkpoint : files.findWithShortSums(identity)) {
      if (checkpoint.identity().equals(identity) && checkpoint.ending().isEmpty()) {
        latest = later(latest, checkpoint);
      }
    }
    return latest;
  }

  /** Returns the stream of a file that left memory, so that it comes back. */
  StreamProgress comeBack(Checkpoint away, long arrivalNanos) throws IOException {
    return StreamProgress.comeBack(files.withLongSums(away), arrivalNanos);
  }

  private Optional<StreamProgress> waitingFor(FileIdentity identity) throws IOException {
    StreamProgress endedNow = gone.remove(identity);
    if (endedNow != null) {
      return Optional.of(endedNow).filter(s -> s.ending().filter(Ending::isFinal).isEmpty());
    }
    List<Checkpoint> row = files.findWithShortSums(identity);
    if (!settled && !row.isEmpty() && isAllOf(row, identity)) {
      found(identity);
    }
    Optional<Checkpoint> same = Optional.empty();
    Optional<Checkpoint> elsewhere = Optional.empty();
    for (Checkpoint checkpoint : row) {
      if (isFinal(checkpoint)) {
        continue;
      }
      if (checkpoint.identity().equals(identity)) {
        same = before.contains(identity) ? same : later(same, checkpoint);
      } else if (mayHaveMoved(checkpoint)) {
        elsewhere = later(elsewhere, checkpoint);
      }
    }
    if (same.isPresent() || elsewhere.isEmpty()) {
      return same.isPresent() ? Optional.of(resume(same.get(), identity)) : Optional.empty();
    }
    StreamProgress moved = resume(elsewhere.get(), identity);
    // Its file system has another number, as after a restart of the machine. Only now: what cannot
    // be read is claimed again.
    before.add(elsewhere.get().identity());
    return Optional.of(moved);
  }

  private StreamProgress resume(Checkpoint checkpoint, FileIdentity now) throws IOException {
    return StreamProgress.resume(files.withLongSums(checkpoint), now);
  }

  private static Optional<Checkpoint> later(Optional<Checkpoint> one, Checkpoint other) {
    return one.filter(c -> c.origin().id().epoch() > other.origin().id().epoch())
        .or(() -> Optional.of(other));
  }

  /** Returns whether the file of a checkpoint is not in sight under the identity that it had. */
  private boolean mayHaveMoved(Checkpoint checkpoint) {
    FileIdentity known = checkpoint.identity();
    if (gone.containsKey(known) || before.contains(known)) {
      return false;
    }
    return settled
        ? checkpoint.ending().isPresent() || (outOfSight.contains(known) && !found.contains(known))
        : !found.contains(known);
  }

  /** Returns whether every file of which the table knows has been found, or is known to be gone. */
  boolean isEachLookedAt() {
    return settled && stillOutOfSight == 0;
  }

  /** Adds a stream that has ended; its file may come back, unless that is deleted. */
  void ended(StreamProgress stream) {
    gone.put(stream.identity(), stream);
  }

  /**
   * Forgets streams that have ended, as far as the table knows all about them.
   *
   * @param saved returns whether that is so
   */
  void releaseEnded(Predicate<StreamProgress> saved) {
    Iterator<StreamProgress> oldest = gone.values().iterator();
    while (oldest.hasNext() && saved.test(oldest.next())) {
      oldest.remove();
    }
  }

  /**
   * Passes the streams whose files the first scan has not found to the action; once.
   *
   * @param action returns whether that is so because they are not there any more
   */
  void settle(Predicate<StreamProgress> action) throws IOException {
    if (!isFirstRun && rowsNotFound > 0) { // Otherwise all files that have a row are found.
      files.forEach(checkpoint -> settle(checkpoint, action));
    }
    settled = true;
    found = new IdentitySet();
    files.forgetIdentities();
  }

  private void settle(Checkpoint checkpoint, Predicate<StreamProgress> action) {
    if (!isFinal(checkpoint)
        && !found.contains(checkpoint.identity())
        && !before.contains(checkpoint.identity())
        && !gone.containsKey(checkpoint.identity())
        && !action.test(StreamProgress.resume(checkpoint))
        && outOfSight.add(checkpoint.identity())) {
      stillOutOfSight++;
    }
  }

  /** Returns the checkpoints of streams that ended before that time, but may go on. */
  List<StreamProgress> unseenSince(long millis) throws IOException {
    List<StreamProgress> unseen = new ArrayList<>();
    for (Checkpoint checkpoint : files.ended()) {
      if (!isFinal(checkpoint) && checkpoint.seen().atMillis() < millis) {
        unseen.add(StreamProgress.resume(checkpoint));
      }
    }
    return unseen;
  }

  /** Returns the streams that ended in an earlier run. */
  public List<StreamProgress> ended() {
    return List.copyOf(ended);
  }
}
