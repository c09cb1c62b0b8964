package dev.tailwater.restore.read;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The check at the start of a run whether the identities open the archive. Costs one small read if
 * the first stream opens, else one for each encrypted stream until one does. A stream that cannot
 * be read counts as one that opens: whoever needs its bytes reports the problem. Thread-safe.
 */
public final class LockCheck {
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
      Jobs.forEach("restore-keys", encrypted, jobs, check::tryOne);
    } else if (!encrypted.isEmpty()) {
      check.tryOne(encrypted.getFirst());
      check.locked.addAll(encrypted);
    }
    return check;
  }

  private void tryOne(ArchivedStream stream) throws IOException {
    if (fits.get()) {
      return;
    }
    try {
      source.header(stream, stream.segments().getFirst());
      fits.set(true);
    } catch (NoIdentityException e) {
      recipients.accumulateAndGet(e.recipients(), Math::max);
      locked.add(stream);
    } catch (ArchiveException | DestinationException e) {
      // Whoever needs its bytes reports it.
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
