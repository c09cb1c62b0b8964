package dev.tailwater.delivery.stream;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a stream's file was last seen, and with which attributes. Not thread-safe: its stream
 * guards it.
 */
final class SeenFile {
  private PosixPath path;
  private int permissions;
  private long modificationTimeNanos;

  /** A time of 0 is one that files may have. */
  private boolean timeKnown;

  /** When it was seen like that; never earlier than what the archive was told before. */
  private long atMillis;

  private Optional<FileOwner> owner;

  /** Whether the mode is certain to be one that the file had. */
  private boolean known;

  /** When the file came to its path, as far as this run knows. */
  private boolean arrivalKnown;

  private long arrivalNanos;

  private final ChangeTime changeTime;

  /** Creates a file that an earlier run has seen. */
  SeenFile(Checkpoint.LastSeen seen) {
    this(seen, ChangeTime.saved(seen.changeTimeNanos()));
  }

  private SeenFile(Checkpoint.LastSeen seen, ChangeTime changeTime) {
    this.changeTime = changeTime;
    this.path = seen.path();
    this.permissions = seen.permissions();
    this.modificationTimeNanos = seen.modificationTimeNanos();
    this.atMillis = seen.atMillis();
    this.owner = seen.owner();
    this.known = seen.owner().isPresent();
    // Earlier agents saved no owner, and 0 where they knew no time.
    this.timeKnown = known || modificationTimeNanos != 0;
  }

  /** Creates a file of which only the path is known, and of which this run has read nothing. */
  static SeenFile at(PosixPath path, long seenAtMillis) {
    return new SeenFile(
        new Checkpoint.LastSeen(path, 0, 0, seenAtMillis, Optional.empty(), OptionalLong.empty()),
        ChangeTime.unread());
  }

  PosixPath path() {
    return path;
  }

  /** Returns the modification time; empty when it is not known. */
  OptionalLong modificationTimeNanos() {
    return timeKnown ? OptionalLong.of(modificationTimeNanos) : OptionalLong.empty();
  }

  /** Returns whether its attributes are certain to be those of a file that was seen. */
  boolean isKnown() {
    return known;
  }

  /** Notes with which mode and owner the file was seen by a run that nothing else is known of. */
  void wasStated(int statedPermissions, Optional<FileOwner> statedOwner) {
    permissions = statedPermissions;
    owner = statedOwner;
    known = true;
  }

  /** Returns whether a file that is seen at this place has left its path and come back. */
  boolean cameBack(Place place) {
    return arrivalKnown
        && !(place.arrivalNanos().isPresent() && place.arrivalNanos().getAsLong() == arrivalNanos);
  }

  /** Returns whether a file with this mode and owner has another one than it had. */
  boolean isOtherThan(int otherPermissions, Optional<FileOwner> otherOwner) {
    return otherPermissions != permissions
        || (owner.isPresent() && otherOwner.isPresent() && !hasIds(owner.get(), otherOwner.get()));
  }

  private static boolean hasIds(FileOwner one, FileOwner other) {
    return one.userId() == other.userId() && one.groupId() == other.groupId();
  }

  void seen(
      Place place,
      int nowPermissions,
      long nowModificationTimeNanos,
      FileOwner nowOwnedBy,
      long nowMillis) {
    boolean changed =
        isOtherThan(nowPermissions, Optional.of(nowOwnedBy))
            || !path.equals(place.path())
            || modificationTimeNanos != nowModificationTimeNanos;
    // Readers believe what is later, also if the clock was set back.
    atMillis = Math.max(nowMillis, changed ? atMillis + 1 : atMillis);
    // What is as it was is not stored again: the collector would look at it.
    if (!path.equals(place.path())) {
      path = place.path();
    }
    arrivalKnown = place.arrivalNanos().isPresent();
    arrivalNanos = place.arrivalNanos().orElse(0);
    permissions = nowPermissions;
    modificationTimeNanos = nowModificationTimeNanos;
    timeKnown = true;
    if (owner.isEmpty() || !owner.get().equals(nowOwnedBy)) {
      owner = Optional.of(nowOwnedBy);
    }
    known = true;
  }

  ChangeTime changeTime() {
    return changeTime;
  }

  /** Returns when it was seen, or the archive was told of it, milliseconds since 1970. */
  long atMillis() {
    return atMillis;
  }

  /** Notes that the archive was told of it at that time. */
  void toldAt(long millis) {
    atMillis = Math.max(millis, atMillis);
  }

  /** Has the archive told of it as of a later time than anything that it was told before. */
  void tellLater() {
    atMillis++;
  }

  /** Notes that nobody else has come to the path since the file came there. */
  void arrivedAt(long nanos) {
    arrivalKnown = true;
    arrivalNanos = nanos;
  }

  private OptionalLong arrivalNanos() {
    return arrivalKnown ? OptionalLong.of(arrivalNanos) : OptionalLong.empty();
  }

  StreamProgress.Attributes attributes() {
    return new StreamProgress.Attributes(
        new Place(path, arrivalNanos()), permissions, modificationTimeNanos, owner);
  }

  /** Returns the path as a record has it. */
  StreamRecord.KnownPath knownPath() {
    return new StreamRecord.KnownPath(path, atMillis, arrivalNanos());
  }

  /** Returns what a checkpoint says of it. */
  Checkpoint.LastSeen lastSeen() {
    return new Checkpoint.LastSeen(
        path, permissions, modificationTimeNanos, atMillis, owner, changeTime.vouching());
  }

  /** Returns a hash of what a checkpoint says, but for when the file was seen and changed. */
  int hashOfCheckpoint() {
    int hash = path.hashCode();
    hash = 31 * hash + permissions;
    hash = 31 * hash + Long.hashCode(modificationTimeNanos);
    return 31 * hash + owner.hashCode();
  }
}
