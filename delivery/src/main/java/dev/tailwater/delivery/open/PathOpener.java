package dev.tailwater.delivery.open;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.room.DescriptorShortage;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.room.RoomShortage;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Opens the files at paths, as far as there are descriptors, and remembers what could not be
 * opened. Used by the watch thread, except for {@link #foreignLinks}.
 */
public final class PathOpener {
  private final TailOpener.Batch opener;
  private final OpenFiles openFiles;
  private final OpenFiles.Closing closer;
  private final ForeignLinks foreignLinks;
  private final Problems problems;
  private final RoomShortage shortage;
  private final FileIntake intake;

  /** Paths whose opening has failed. */
  private final Set<PosixPath> unopened = new LinkedHashSet<>();

  /** Paths at which there was no file any more, until the watch notices that too. */
  private final Set<PosixPath> vanished = new HashSet<>();

  /**
   * Creates an opener for one watch.
   *
   * @param closer closes files so that others can be opened
   * @param shortage is told when there is no room
   * @param intake takes in what is found
   */
  public PathOpener(
      TailOpener opener,
      OpenFiles openFiles,
      OpenFiles.Closing closer,
      RoomShortage shortage,
      FileIntake intake,
      Problems problems) {
    this.opener = opener.batch();
    this.problems = problems;
    this.foreignLinks = new ForeignLinks(problems);
    this.openFiles = openFiles;
    this.closer = closer;
    this.shortage = shortage;
    this.intake = intake;
  }

  /** Opens the file at the path, or notes that it waits for a descriptor or for memory. */
  public void open(PosixPath path) {
    boolean isQueued = openFiles.isQueued(path);
    if (!isQueued && openFiles.hasRoomForAll(path)) {
      openFiles.forget(path);
      openNow(path, Optional.empty());
      return;
    }
    if (intake.takesInPassing() && takeInPassing(path)) {
      return;
    }
    Optional<FileStatus> seen;
    try {
      seen = opener.lookAt(path);
    } catch (ErrnoException e) {
      failed(path, e);
      return;
    }
    if (seen.isPresent() && intake.mayBeOpen(seen.get()) && takeOtherName(path, seen)) {
      return;
    }
    long ownerId = ownerOf(seen);
    if (isQueued || !tryOpen(path, ownerId, seen)) {
      openFiles.await(path, ownerId);
      if (openFiles.isMemoryFull(path, ownerId)) {
        shortage.lacksMemory();
      } else if (!openFiles.hasRoom(path, ownerId)) {
        shortage.lacksDescriptors();
      }
    }
  }

  /** Opens the file at a path if no other one has to be closed for it, or waits. */
  public void openBesideOthers(PosixPath path) {
    if (!openFiles.isQueued(path) && openFiles.hasRoomForAll(path)) {
      openNow(path, Optional.empty());
    }
  }

  /**
   * Takes in a path that leads to a file which is open, such as a renamed one; false if it does
   * not. The file needs no room for its new name, and without a name it would keep its place from
   * others until it counts as deleted. So a path that cannot be opened does not wait for room
   * either: it is tried again as it is now.
   */
  private boolean takeOtherName(PosixPath path, Optional<FileStatus> seen) {
    return orFails(path, () -> isOtherName(path, seen));
  }

  private boolean isOtherName(PosixPath path, Optional<FileStatus> seen) throws IOException {
    Optional<TailOpener.Opened> opened = opener.open(path, seen);
    if (opened.isEmpty()) {
      return false;
    }
    if (!intake.isOpen(opened.get().identity())) {
      opened.get().descriptor().close();
      return false;
    }
    forgetWaiting(path);
    take(path, opened.get());
    return true;
  }

  private void forgetWaiting(PosixPath path) {
    unopened.remove(path);
    vanished.remove(path);
    openFiles.forget(path);
  }

  private static long ownerOf(Optional<FileStatus> seen) {
    return seen.isPresent() ? seen.get().ownerId() : OpenFiles.NOBODY;
  }

  private boolean tryOpen(PosixPath path, long ownerId) {
    return tryOpen(path, ownerId, Optional.empty());
  }

  /**
   * Opens the file at the path; false when no more files of its owner may be open.
   *
   * @param seen what was at the path just now, if somebody has looked
   */
  private boolean tryOpen(PosixPath path, long ownerId, Optional<FileStatus> seen) {
    if (!openFiles.hasRoom(path, ownerId) && !openFiles.makeRoom(path, ownerId, closer)) {
      return false;
    }
    openFiles.forget(path);
    openNow(path, seen);
    return true;
  }

  /**
   * Takes in the file at the path by a look, or opens it for one; false unless that is all that it
   * needs. Whatever keeps it from that is found and reported when the file is opened to stay so.
   */
  private boolean takeInPassing(PosixPath path) {
    try {
      if (!seeInPassing(path) && !openInPassing(path)) {
        return false;
      }
      problems.resolved(path);
      forget(path);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean seeInPassing(PosixPath path) throws IOException {
    Optional<TailOpener.Seen> seen = opener.see(path);
    return seen.isPresent() && intake.seen(path, seen.get());
  }

  private boolean openInPassing(PosixPath path) throws IOException {
    Optional<TailOpener.Opened> opened = opener.open(path);
    if (opened.isEmpty()) {
      return false;
    }
    try (Descriptor _ = opened.get().descriptor()) {
      return intake.openedInPassing(path, opened.get());
    }
  }

  private void openNow(PosixPath path, Optional<FileStatus> seen) {
    var _ = orFails(path, () -> openHere(path, seen));
  }

  private boolean openHere(PosixPath path, Optional<FileStatus> seen) throws IOException {
    unopened.remove(path);
    vanished.remove(path);
    Optional<TailOpener.Opened> opened = opener.open(path, seen);
    if (opened.isEmpty()) {
      problems.resolved(path);
      vanished.add(path); // Or it is no regular file any more, which the watch notices itself.
    } else {
      take(path, opened.get());
    }
    return true;
  }

  private interface Attempt {
    boolean run() throws IOException;
  }

  /** Returns what the attempt does; true also where it fails, and the path is tried again later. */
  private boolean orFails(PosixPath path, Attempt attempt) {
    try {
      return attempt.run();
    } catch (ErrnoException e) {
      failed(path, e);
    } catch (IOException e) {
      openFiles.forget(path);
      reportUnknown(path, e);
    } catch (RuntimeException | Error e) {
      unopened.add(path); // Or nobody would look at it again.
      throw e;
    }
    return true;
  }

  private void failed(PosixPath path, ErrnoException e) {
    openFiles.forget(path);
    unopened.add(path);
    if (DescriptorShortage.isMeant(e)) {
      problems.report(DescriptorShortage.SUBJECT, e, DescriptorShortage.HINT);
      if (openFiles.freeDescriptors(path, closer)) {
        unopened.remove(path);
        openFiles.await(path, ownerOf(lookAt(path))); // There is one for it now.
      }
    } else if (e.errno() != Errno.ELOOP) {
      // The watch reports a link that has replaced a directory, if it stays.
      problems.report(
          path.toString(), e, "let the agent's user read the file; it stays at risk until then");
    }
  }

  private Optional<FileStatus> lookAt(PosixPath path) {
    try {
      return opener.lookAt(path);
    } catch (ErrnoException e) {
      return Optional.empty(); // Opening the file reports what is wrong.
    }
  }

  private void take(PosixPath path, TailOpener.Opened opened) throws IOException {
    problems.resolved(path);
    if (foreignLinks.mustRefuse(opened)) {
      refuse(path, opened);
    } else {
      foreignLinks.forget(path);
      if (!intake.opened(path, opened)) {
        leaveOutForNow(path);
      }
    }
  }

  /** Has a file that cannot be told from another one tried again later. */
  void leaveOutForNow(PosixPath path) {
    intake.leftOut(path);
    unopened.add(path);
  }

  /**
   * Closes the directory in which the last file was opened: the next one may be at its path by now.
   */
  public void endBatch() {
    try {
      opener.close();
    } catch (ErrnoException e) {
      problems.report("source directories", e, "nothing is lost; it was only searched");
    }
  }

  private void refuse(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    intake.leftOut(path); // The link has replaced the file that was shipped under this name.
    foreignLinks.refuse(path, opened.identity());
    opened.descriptor().close();
  }

  /** Takes up a file that was opened early; whether its name leads to it must be looked at yet. */
  void adopt(EarlyOpens.Found found) {
    PosixPath path = found.path();
    TailOpener.Opened opened = found.opened().orElseThrow();
    unopened.remove(path);
    vanished.remove(path);
    try {
      if (foreignLinks.mustRefuse(opened)) {
        openFiles.giveEarly(path, opened.status().ownerId());
        refuse(path, opened);
      } else {
        foreignLinks.forget(path);
        if (!intake.openedEarly(path, opened)) {
          leaveOutForNow(path);
        }
      }
    } catch (ErrnoException e) {
      unopened.add(path);
      problems.report(path.toString(), e, "the file is tried again");
    } catch (IOException e) {
      reportUnknown(path, e);
    }
  }

  /** Reports that nobody can tell what is known of a file, and tries again later. */
  public void reportUnknown(PosixPath path, IOException why) {
    unopened.add(path);
    problems.report(
        path.toString(),
        "what is known of the file cannot be read: " + why.getMessage(),
        Optional.of("mend the state directory; the file stays at risk until then"),
        false);
  }

  /** Returns whether the path leads to this file now; also if that cannot be told. */
  boolean leadsTo(PosixPath path, FileIdentity identity) {
    try {
      Optional<TailOpener.Opened> opened = opener.open(path);
      if (opened.isEmpty()) {
        return false;
      }
      try (Descriptor _ = opened.get().descriptor()) {
        return opened.get().identity().equals(identity);
      }
    } catch (ErrnoException e) {
      return true;
    }
  }

  /** Adds a path to those whose opening has failed. */
  public void retryLater(PosixPath path) {
    unopened.add(path);
  }

  /**
   * Tries again to open the paths whose opening has failed, and those at which there was nothing:
   * somebody may have exchanged directories meanwhile, and the watch then has no change to report.
   */
  public void retryUnopened() {
    List.copyOf(unopened).forEach(this::open);
    List.copyOf(vanished).forEach(this::open);
  }

  /** Returns whether {@link #retryUnopened} has something to do. */
  public boolean hasToRetry() {
    return !unopened.isEmpty() || !vanished.isEmpty();
  }

  /** Opens the paths that wait for descriptors, as far as there are some now. */
  public void openAwaited() {
    openFiles.retry(this::tryOpen);
  }

  /** Returns whether opening has failed for some path. */
  public boolean hasUnopened() {
    return !unopened.isEmpty();
  }

  /** Returns for how many paths opening has failed. */
  public long unopenedFiles() {
    return unopened.size();
  }

  /** Returns whether opening the file at the path has failed. */
  public boolean isUnopened(PosixPath path) {
    return unopened.contains(path);
  }

  /** Returns whether some path waits for a descriptor or for memory. */
  public boolean hasAwaited() {
    return openFiles.anyAwaited();
  }

  /** Returns whether the file at the path could not be opened yet, though it may be there. */
  public boolean isPending(PosixPath path) {
    return unopened.contains(path) || openFiles.isAwaited(path);
  }

  /** Returns whether the file at the path is gone or was not opened until now. */
  public boolean wasNeverOpened(PosixPath path) {
    return vanished.contains(path) || isPending(path);
  }

  /** Notes that a file without a name at this path has another name, and so is not lost. */
  public void notVanished(PosixPath path) {
    vanished.remove(path);
  }

  /** Forgets the path, at which there is no file any more. */
  public void forget(PosixPath path) {
    unopened.remove(path);
    vanished.remove(path);
    openFiles.forget(path);
    foreignLinks.forget(path);
  }

  /** Returns how many files are left out as {@link ForeignLinks}. */
  public long foreignLinks() {
    return foreignLinks.count();
  }
}
