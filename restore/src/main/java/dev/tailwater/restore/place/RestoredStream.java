package dev.tailwater.restore.place;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import java.util.List;
import java.util.Optional;

/**
 * What became of one stream.
 *
 * @param path the last known path, as the archive says
 * @param target where the file is, relative to the target directory; empty when its path cannot be
 *     used
 * @param bytes how many bytes of the stream the file has
 * @param gaps ranges that were destroyed before they could be read
 * @param missing ranges that should be there and are not
 * @param damages objects that are not as they should be; when others had the same bytes, nothing is
 *     missing because of them
 * @param problem why it was refused or failed
 * @param obstacle what keeps it from being restored, if that is not about this file alone
 */
public record RestoredStream(
    String agent,
    StreamId stream,
    PosixPath path,
    Optional<PosixPath> target,
    RestoreResult result,
    long bytes,
    List<StoredGap> gaps,
    List<ByteRange> missing,
    List<Damage> damages,
    Optional<String> problem,
    Obstacle obstacle) {
  /** What the problem begins with if the run had stopped before; the reason follows. */
  static final String NOT_TRIED = "not tried: ";

  /** What keeps files from being restored. */
  public enum Obstacle {
    /** Nothing, or something of this file alone. */
    NONE,
    /** Another file has its name, and would be replaced if that were asked for. */
    REPLACEABLE_FILE,
    /** The run had stopped before it came to this file. */
    STOPPED_RUN
  }

  public RestoredStream {
    gaps = List.copyOf(gaps);
    missing = List.copyOf(missing);
    damages = List.copyOf(damages);
  }

  /** Returns whether the file would replace what has its name, if that were asked for. */
  public boolean wouldOverwrite() {
    return obstacle == Obstacle.REPLACEABLE_FILE;
  }

  /** Returns why the run stopped before it came to this stream; empty if it did not. */
  public Optional<String> whyNotTried() {
    return obstacle == Obstacle.STOPPED_RUN
        ? problem.map(text -> text.substring(NOT_TRIED.length()))
        : Optional.empty();
  }
}
