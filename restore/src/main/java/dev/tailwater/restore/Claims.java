package dev.tailwater.restore;

import dev.tailwater.posix.PosixPath;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which of several streams has a path: strongest claim first.
 *
 * <ol>
 *   <li>A file that was there when the agent last looked comes before one that had ended, or was
 *       truncated.
 *   <li>Where only encrypted segments are trusted, a stream that has some comes before one of which
 *       there are plain objects only.
 *   <li>A file that was born at the path comes before one that was born elsewhere: that it came
 *       here is its own word, and the file that is here did not say that it went.
 *   <li>Then the one that came to its path later, then the newest.
 * </ol>
 */
final class Claims implements Comparator<ArchivedStream> {
  /** Epochs of one file that have one path. No agent is believed about the files of another. */
  private record File(String agent, String idWithoutEpoch, PosixPath path) {
    static File of(ArchivedStream stream) {
      return new File(stream.agent(), stream.id().withoutEpoch(), stream.path());
    }
  }

  private final Map<File, Integer> latestEpochs = new HashMap<>();
  private final Map<ArchivedStream, Boolean> bornHere = new HashMap<>();
  private final Comparator<ArchivedStream> order;

  Claims(Collection<ArchivedStream> streams) {
    for (ArchivedStream stream : streams) {
      latestEpochs.merge(File.of(stream), stream.id().epoch(), Math::max);
      bornHere.put(stream, stream.isBornAtItsPath());
    }
    order =
        Comparator.comparing(this::isOver)
            .thenComparing(stream -> !stream.isVouchedFor())
            .thenComparing(stream -> !isBornHere(stream))
            .thenComparing(
                Comparator.<ArchivedStream>comparingLong(Claims::atPathSinceNanos).reversed())
            .thenComparing(TargetNames.NEWEST_FIRST);
  }

  /**
   * Whether the archive contradicts itself when the stronger of two claims gets a place that the
   * weaker one asks for too. Nothing contradicts a file that ended and another that came instead,
   * nor one that was created again where the end of the first was never told.
   */
  boolean contradict(ArchivedStream stronger, ArchivedStream weaker) {
    if (stronger.isVouchedFor() != weaker.isVouchedFor()) {
      return !weaker.hasEnded();
    }
    return !isOver(weaker) && !(isBornHere(stronger) && isBornHere(weaker));
  }

  private boolean isBornHere(ArchivedStream stream) {
    return bornHere.getOrDefault(stream, false);
  }

  private boolean isOver(ArchivedStream stream) {
    int latest = latestEpochs.getOrDefault(File.of(stream), 0);
    return stream.hasEnded() || stream.id().epoch() < latest;
  }

  /** When the stream came to its last path: at its birth, unless a record says otherwise. */
  private static long atPathSinceNanos(ArchivedStream stream) {
    return stream
        .record()
        .filter(record -> !record.paths().isEmpty())
        .map(record -> TimeUnit.MILLISECONDS.toNanos(record.paths().getLast().sinceMillis()))
        .orElseGet(() -> stream.id().birthTimeNanos().orElse(0L));
  }

  @Override
  public int compare(ArchivedStream one, ArchivedStream other) {
    return order.compare(one, other);
  }
}
