package dev.tailwater.restore;

import dev.tailwater.archive.StreamId;
import dev.tailwater.archive.StreamRecord;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which of several streams has a path: strongest claim first. A file that was there when the agent
 * last looked comes before one that had ended, or was truncated; then the one that is known to have
 * come to its path later; then the newest.
 */
final class Claims implements Comparator<ArchivedStream> {
  private final Map<String, Integer> latestEpochs = new HashMap<>();
  private final Comparator<ArchivedStream> order;

  Claims(Collection<ArchivedStream> streams) {
    for (ArchivedStream stream : streams) {
      latestEpochs.merge(stream.id().withoutEpoch(), stream.id().epoch(), Math::max);
    }
    order =
        Comparator.comparing(this::isOver)
            .thenComparing(
                Comparator.<ArchivedStream>comparingLong(Claims::atPathSinceNanos).reversed())
            .thenComparing(TargetNames.NEWEST_FIRST);
  }

  private boolean isOver(ArchivedStream stream) {
    StreamId id = stream.id();
    return stream.record().flatMap(StreamRecord::end).isPresent()
        || id.epoch() < latestEpochs.getOrDefault(id.withoutEpoch(), 0);
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
