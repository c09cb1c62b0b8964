package dev.tailwater.restore.place;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The look at what already has the name of a file that is to be restored. Changes nothing. */
final class TakenName {
  private static final Set<OpenFlag> LOOK = EnumSet.of(OpenFlag.NO_FOLLOW, OpenFlag.NON_BLOCK);

  private final FileCalls calls;
  private final SegmentSource source;
  private final boolean overwrite;

  /**
   * @param overwrite whether a file with other contents may be replaced
   */
  TakenName(FileCalls calls, SegmentSource source, boolean overwrite) {
    this.calls = calls;
    this.source = source;
    this.overwrite = overwrite;
  }

  /**
   * What has the name.
   *
   * @param verdict how it compares with what would be restored
   * @param file what it was before it was compared; empty if it is no file
   */
  record Found(ExistingFile.Verdict verdict, Optional<FileStatus> file) {}

  /**
   * Returns what is there, compared with what would be restored; empty when nothing is there.
   *
   * @throws StreamFailure it must not be replaced
   */
  Optional<Found> find(
      Descriptor directory, PosixPath name, ArchivedStream stream, List<Piece> pieces)
      throws StreamFailure, IOException {
    try (Descriptor file = TargetTree.open(calls, directory.fd(), name, LOOK, 0)) {
      FileStatus status = calls.fstat(file.fd());
      if (status.type() == EntryType.DIRECTORY) {
        throw new StreamFailure(
            RestoreResult.REFUSED,
            "a directory has its name; it was not touched. Hint: move that away and restore again",
            null);
      }
      boolean regular = status.type() == EntryType.REGULAR;
      ExistingFile.Verdict verdict =
          regular
              ? new ExistingFile(calls, source).compare(file.fd(), stream, pieces)
              : ExistingFile.Verdict.DIFFERENT;
      if (verdict == ExistingFile.Verdict.DIFFERENT && !overwrite) {
        throw refused(regular ? "a file with other contents has its name" : "its name is taken");
      }
      return Optional.of(new Found(verdict, Optional.of(status)));
    } catch (ErrnoException e) {
      return switch (e.errno()) {
        case ENOENT -> Optional.empty();
        case ELOOP, ENXIO -> {
          if (overwrite) {
            // rename(2) replaces a link or a socket itself, never what it leads to.
            yield Optional.of(new Found(ExistingFile.Verdict.DIFFERENT, Optional.empty()));
          }
          throw refused("its name is taken by something that is not a plain file");
        }
        case EACCES ->
            throw new StreamFailure(
                RestoreResult.FAILED,
                ErrnoException.messageForUser(e)
                    + ". Hint: let this user read what has its name (chmod u+r), and run the same"
                    + " command again",
                e);
        default -> throw e;
      };
    }
  }

  /**
   * Checks that what is about to be replaced is what was found: a restore may take hours.
   *
   * @throws StreamFailure it must not be replaced any more
   */
  void requireUnchanged(Descriptor directory, PosixPath name, Found found)
      throws StreamFailure, ErrnoException {
    if (overwrite || found.file().isEmpty()) {
      return;
    }
    try {
      FileStatus now = calls.statx(directory.fd(), name, EnumSet.of(StatFlag.NO_FOLLOW));
      if (!isSame(now, found.file().get())) {
        throw refused("the file that has its name was changed meanwhile");
      }
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  private static boolean isSame(FileStatus one, FileStatus other) {
    return one.device() == other.device()
        && one.inode() == other.inode()
        && one.sizeBytes() == other.sizeBytes()
        && one.modificationTimeNanos() == other.modificationTimeNanos()
        && one.changeTimeNanos() == other.changeTimeNanos();
  }

  /** Somebody, perhaps another restore, has made a file where there was none. */
  static StreamFailure gotItMeanwhile() {
    return new StreamFailure(
        RestoreResult.REFUSED,
        "a file got its name meanwhile; it was not touched. Hint: run one restore into a directory"
            + " at a time, and this one again",
        null);
  }

  private static StreamFailure refused(String why) {
    return StreamFailure.nameIsTaken(
        why + "; it was not touched. Hint: restore into an empty directory, or say --overwrite");
  }
}
