package dev.tailwater.restore.read;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The check at the start of a run whether the identities open the archive. Costs one small read if
 * the first stream opens, else one for each encrypted stream until one does, and then at most
 * {@value #MOST_OTHERS} more. A stream that cannot be read counts as one that opens: whoever needs
 * its bytes reports the problem. Thread-safe.
 */
public final class LockCheck {
  /** So many segments that are not the first ones: with a wrong key, nobody waits for all. */
  private static final int MOST_OTHERS = 256;

  private final SegmentSource source;
  private final List<ArchivedStream> streams;
  private final Set<ArchivedStream> locked = ConcurrentHashMap.newKeySet();
  private final AtomicInteger recipients = new AtomicInteger();
  private final AtomicBoolean fits = new AtomicBoolean();

  private LockCheck(SegmentSource source, List<ArchivedStream> streams) {
    this.source = source;
    this.streams = streams;
  }

  /**
   * Tries the identities on the streams.
   *
   * @throws IOException the thread was interrupted
   */
  public static LockCheck of(SegmentSource source, List<ArchivedStream> streams, int jobs)
      throws IOException {
    LockCheck check = new LockCheck(source, streams);
    List<ArchivedStream> encrypted =
        streams.stream().filter(ArchivedStream::isAllEncrypted).toList();
    if (source.identities() > 0) {
      Jobs.forEach("restore-keys", encrypted, jobs, check::tryFirst);
      check.tryOthers(jobs);
    } else if (!encrypted.isEmpty()) {
      check.tryFirst(encrypted.getFirst());
      check.locked.addAll(encrypted);
    }
    return check;
  }

  private void tryFirst(ArchivedStream stream) throws IOException {
    if (!fits.get() && isLocked(stream, stream.segments().getFirst())) {
      locked.add(stream);
    }
  }

  private record Other(ArchivedStream stream, StoredSegment segment) {}

  /** Anybody may have put a segment before those of the agent. */
  private void tryOthers(int jobs) throws IOException {
    List<ArchivedStream> several =
        locked.stream().filter(stream -> stream.segments().size() > 1).toList();
    Jobs.forEach("restore-keys", spread(several), jobs, this::tryOther);
    if (fits.get()) {
      several.forEach(locked::remove); // Whoever needs their bytes tries the identities.
    }
  }

  /** Returns segments from all over the streams. */
  private static List<Other> spread(List<ArchivedStream> several) {
    List<Other> all = new ArrayList<>();
    for (ArchivedStream stream : several) {
      List<StoredSegment> segments = stream.segments();
      segments.subList(1, segments.size()).forEach(one -> all.add(new Other(stream, one)));
    }
    int tried = Math.min(all.size(), MOST_OTHERS);
    return IntStream.range(0, tried)
        .mapToObj(i -> all.get((int) ((long) i * all.size() / tried)))
        .toList();
  }

  private void tryOther(Other other) throws IOException {
    if (!fits.get() && !isLocked(other.stream(), other.segment())) {
      locked.remove(other.stream());
    }
  }

  /** Whether no identity opens a segment. */
  private boolean isLocked(ArchivedStream stream, StoredSegment segment) throws IOException {
    try {
      source.header(stream, segment);
      fits.set(true);
      return false;
    } catch (NoIdentityException e) {
      recipients.accumulateAndGet(e.recipients(), Math::max);
      return true;
    } catch (ArchiveException | DestinationException e) {
      return false; // Whoever needs its bytes reports it.
    }
  }

  public boolean isLocked(ArchivedStream stream) {
    return locked.contains(stream);
  }

  /** How many streams were found to be locked. */
  public int count() {
    return locked.size();
  }

  /** Whether no stream can be opened for lack of an identity. */
  public boolean isEverything() {
    return !locked.isEmpty()
        && streams.stream().allMatch(one -> one.segments().isEmpty() || isLocked(one));
  }

  /**
   * Returns what a report says about locked streams; empty if there are none.
   *
   * @param count how many streams turned out to be locked
   */
  public Optional<LockedStreams> report(long count) {
    return count == 0
        ? Optional.empty()
        : Optional.of(
            new LockedStreams(count, streams.size(), source.identities(), recipients.get()));
  }
}
