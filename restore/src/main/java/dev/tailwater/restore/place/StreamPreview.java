package dev.tailwater.restore.place;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.read.Cover;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a restore of one stream would come to, as far as names of objects and what is in the target
 * directory tell. Opens segments only to compare a file that is there already, and changes nothing.
 */
final class StreamPreview {
  private final Optional<TargetTree> tree;
  private final TakenName taken;

  /**
   * @param tree the target directory, if it exists
   */
  StreamPreview(
      FileCalls calls, SegmentSource source, RestoreOptions options, Optional<TargetTree> tree) {
    this.tree = tree;
    this.taken = new TakenName(calls, source, options.overwrite());
  }

  /**
   * Returns the result that a restore would have if every object is as its name says.
   *
   * @throws StreamFailure it would fail
   */
  RestoredStream preview(ArchivedStream stream, TargetPath target)
      throws StreamFailure, IOException {
    if (stream.segments().isEmpty() && !stream.refused().isEmpty()) {
      throw StreamFailure.missing(RestoreResult.FAILED, StreamRestore.ALL_PLAIN);
    }
    List<Piece> pieces = Cover.of(stream, new ByteRange(0, stream.storedEndBytes()), Set.of());
    boolean there =
        existing(stream, target, pieces).filter(ExistingFile.Verdict.SAME::equals).isPresent();
    RangeSet covered = stream.covered();
    List<ByteRange> missing = stream.missingWhere(covered);
    List<Damage> damages = new ArrayList<>(stream.damages());
    damages.addAll(stream.refusals());
    boolean complete =
        stream.openGaps().isEmpty() && missing.isEmpty() && stream.damages().isEmpty();
    RestoreResult whole = there ? RestoreResult.ALREADY_THERE : RestoreResult.RESTORED;
    return new RestoredStream(
        stream.agent(),
        stream.id(),
        stream.path(),
        Optional.of(target.relative()),
        complete
            ? (stream.refusals().isEmpty() ? whole : RestoreResult.DOUBTFUL)
            : RestoreResult.INCOMPLETE,
        covered.totalBytes(),
        stream.openGaps(),
        missing,
        damages,
        Optional.empty(),
        RestoredStream.Obstacle.NONE);
  }

  private Optional<ExistingFile.Verdict> existing(
      ArchivedStream stream, TargetPath target, List<Piece> pieces)
      throws StreamFailure, IOException {
    if (tree.isEmpty()) {
      return Optional.empty();
    }
    try (Descriptor directory = tree.get().directory(target.directories())) {
      return taken.find(directory, target.name(), stream, pieces).map(TakenName.Found::verdict);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT) {
        return Optional.empty(); // A restore would make the directory.
      }
      throw e;
    }
  }
}
