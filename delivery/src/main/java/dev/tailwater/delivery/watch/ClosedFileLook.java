package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/**
 * A look at a file that left memory without its descriptor: whether it is as it was then. Decides
 * as a start does that finds the file, but for files that were touched in this run: none that was
 * touched since the last look is called unchanged because of its end alone. One for all
 * destinations.
 */
final class ClosedFileLook implements AutoCloseable {
  private final TailOpener.Batch looks;
  private final long startMillis;

  private boolean isSeen;
  private boolean isOpened;

  /** Empty before the look, and where there is no such file. */
  private Optional<TailOpener.Seen> seen = Optional.empty();

  private Optional<TailOpener.Opened> opened = Optional.empty();

  /**
   * Creates one that has not looked yet.
   *
   * @param startMillis when the agent started
   */
  ClosedFileLook(TailOpener.Batch looks, long startMillis) {
    this.looks = looks;
    this.startMillis = startMillis;
  }

  /**
   * Returns whether the file is the one that left, and holds what a destination has.
   *
   * @param name the name with which it left, the same for each destination
   * @param away what the table knows of it
   */
  boolean isAsDelivered(PosixPath name, Checkpoint away) {
    if (away.changedInPlace()) {
      return false;
    }
    try {
      Optional<TailOpener.Seen> look = see(name);
      if (look.isPresent() && isVouchedFor(away, look.get())) {
        return true;
      }
      Optional<TailOpener.Opened> file = open(name, look);
      return file.isPresent() && isAsDelivered(away, file.get());
    } catch (ErrnoException e) {
      return false; // Nobody knows what it holds now.
    }
  }

  private Optional<TailOpener.Seen> see(PosixPath name) throws ErrnoException {
    if (!isSeen) {
      seen = looks.see(name);
      isSeen = true;
    }
    return seen;
  }

  private Optional<TailOpener.Opened> open(PosixPath name, Optional<TailOpener.Seen> look)
      throws ErrnoException {
    if (!isOpened) {
      opened = looks.open(name, look.map(TailOpener.Seen::status));
      isOpened = true;
    }
    return opened;
  }

  private static boolean isVouchedFor(Checkpoint away, TailOpener.Seen look) {
    FileIdentity identity = away.identity();
    FileStatus now = look.status();
    return look.fileSystemId() == identity.fileSystemId()
        && now.inode() == identity.inode()
        && now.birthTimeNanos().equals(identity.birthTimeNanos())
        && isAsDelivered(away, now)
        && FoundFile.of(identity, look).isVouchedFor(vouches(away));
  }

  private static LongPredicate vouches(Checkpoint away) {
    OptionalLong vouching = away.seen().changeTimeNanos();
    return nanos -> vouching.isPresent() && vouching.getAsLong() == nanos;
  }

  private boolean isAsDelivered(Checkpoint away, TailOpener.Opened file) {
    FoundFile found = FoundFile.of(file);
    Checkpoint.DurablePrefix durable = away.durable();
    return file.identity().equals(away.identity())
        && isAsDelivered(away, file.status())
        && (found.isVouchedFor(vouches(away))
            || (!isTouchedSinceLook(away, file.status())
                && found.endsAsRead(durable.bytes(), Optional.of(durable.marker()))));
  }

  /** Where inodes have generations, change times are of this machine's clock. */
  private boolean isTouchedSinceLook(Checkpoint away, FileStatus now) {
    Checkpoint.LastSeen last = away.seen();
    long lookedMillis =
        last.changeTimeNanos().isPresent() // A start has compared the end of what has another one.
            ? startMillis
            : Math.max(startMillis, last.atMillis());
    return away.identity().generation().isPresent()
        && TimeUnit.NANOSECONDS.toMillis(now.changeTimeNanos()) > lookedMillis;
  }

  private static boolean isAsDelivered(Checkpoint away, FileStatus now) {
    return now.sizeBytes() == away.durable().bytes()
        && now.modificationTimeNanos() == away.seen().modificationTimeNanos();
  }

  @Override
  public void close() throws ErrnoException {
    if (opened.isPresent()) {
      opened.get().descriptor().close();
    }
  }
}
