package dev.tailwater.restore.verify;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredGap;
import java.util.List;

/**
 * What was found out about one stream.
 *
 * @param path the last known path
 * @param bytes how many bytes of the stream can be had
 * @param segments how many segments it has
 * @param checkedSegments how many of them were opened and are as they should be; 0 when only names
 *     were looked at
 * @param locked whether no identity opens it: nothing is said then of what its segments hold
 * @param gaps ranges that were destroyed before they could be read
 * @param missing ranges that should be there and are not, or only in damaged objects
 * @param damages objects that are not as they should be, or contradict each other
 */
public record VerifiedStream(
    String agent,
    StreamId stream,
    PosixPath path,
    long bytes,
    long segments,
    long checkedSegments,
    boolean locked,
    List<StoredGap> gaps,
    List<ByteRange> missing,
    List<Damage> damages) {
  public VerifiedStream {
    gaps = List.copyOf(gaps);
    missing = List.copyOf(missing);
    damages = List.copyOf(damages);
  }

  /** Whether nothing at all is wrong with it. */
  public boolean isComplete() {
    return !locked && gaps.isEmpty() && missing.isEmpty() && damages.isEmpty();
  }
}
