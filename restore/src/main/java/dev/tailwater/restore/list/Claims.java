package dev.tailwater.restore.list;

import dev.tailwater.posix.PosixPath;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The order of streams that claim the same path, strongest claim first.
 *
 * <ol>
 *   <li>A file that was there when the agent last looked comes before one that had ended, or was
 *       truncated.
 *   <li>Where only encrypted segments are trusted, a stream that has some comes before one of which
 *       there are plain objects only.
 *   <li>A file that was born at the path, or has a record that says when it came, comes before one
 *       that came there by the word of its own segments alone.
 *   <li>Then the one that was at the path last: a rename takes the place of a file of which nothing
 *       was delivered since, and of no other. Then the newest.
 * </ol>
 */
public final class Claims implements Comparator<ArchivedStream> {
  /** Newest first: ids sort by birth time, then epoch. */
  static final Comparator<ArchivedStream> NEWEST_FIRST =
      Comparator.comparing(ArchivedStream::id).reversed().thenComparing(ArchivedStream::prefix);

  /** Epochs of one file that have one path. No agent is believed about the files of another. */
  private record File(String agent, String idWithoutEpoch, PosixPath path) {
    static File of(ArchivedStream stream) {
      return new File(stream.agent(), stream.id().withoutEpoch(), stream.path());
    }
  }

  private final Map<File, Integer> latestEpochs = new HashMap<>();
  private final Set<ArchivedStream> bornHere = new HashSet<>();
  private final Map<ArchivedStream, OptionalLong> atPathMillis = new HashMap<>();
  private final Comparator<ArchivedStream> order;

  public Claims(Collection<ArchivedStream> streams) {
    for (ArchivedStream stream : streams) {
      latestEpochs.merge(File.of(stream), stream.id().epoch(), Math::max);
      atPathMillis.put(stream, stream.atPathMillis());
      if (stream.isBornAtItsPath()) {
        bornHere.add(stream);
      }
    }
    order =
        Comparator.comparing(this::isOver)
            .thenComparing(stream -> !stream.isVouchedFor())
            .thenComparing(stream -> atPathMillis(stream).isEmpty())
            .thenComparing(
                Comparator.<ArchivedStream>comparingLong(
                        stream -> atPathMillis(stream).orElse(Long.MIN_VALUE))
                    .reversed())
            .thenComparing(NEWEST_FIRST);
  }

  /**
   * Whether the archive contradicts itself when the stronger of two claims gets a place that the
   * weaker one asks for too. Nothing contradicts a file that ended and another that came instead,
   * nor one that was created again where the end of the first was never told.
   */
  public boolean contradict(ArchivedStream stronger, ArchivedStream weaker) {
    if (stronger.isVouchedFor() != weaker.isVouchedFor()) {
      return !weaker.hasEnded();
    }
    return !isOver(weaker) && !(isBornHere(stronger) && isBornHere(weaker));
  }

  private boolean isBornHere(ArchivedStream stream) {
    return bornHere.contains(stream);
  }

  private boolean isOver(ArchivedStream stream) {
    int latest = latestEpochs.getOrDefault(File.of(stream), 0);
    return stream.hasEnded() || stream.id().epoch() < latest;
  }

  private OptionalLong atPathMillis(ArchivedStream stream) {
    return atPathMillis.getOrDefault(stream, OptionalLong.empty());
  }

  @Override
  public int compare(ArchivedStream one, ArchivedStream other) {
    return order.compare(one, other);
  }
}
