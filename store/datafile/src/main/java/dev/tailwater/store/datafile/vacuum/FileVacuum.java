package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.StoreReadException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.VacuumStatistics.Damage;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.HintMaker;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.write.Writer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The vacuum of neighbouring data files: rewrites them into one that holds only what is still
 * needed. It takes these steps; a crash may come after any of them:
 *
 * <ol>
 *   <li>Everything that was appended so far becomes durable and visible.
 *   <li>Records that are in the index, and removals that still hide something, are copied into a
 *       file with a temporary name; fsync(2).
 *   <li>Everything becomes durable again: a newer record because of which an older one was left out
 *       must not be lost.
 *   <li>rename(2), fsync(2) of the directory. From here on a crash leaves the new file.
 *   <li>The index is updated, a few records at a time.
 *   <li>The old files are deleted, and closed once all readers have left.
 *   <li>The new file gets its hint.
 * </ol>
 *
 * <p>A removal is needed as long as an older file may hold a record of its key. A file holds none
 * if all of its records are live, or if it was rewritten after the removal: {@link
 * DataFile#cleanTo()}. The vacuum treats an expired record as a removal with its number.
 */
public final class FileVacuum {
  private final DataFileCreator creator;
  private final LiveRecords live;
  private final Writer writer;
  private final InstantSource clock;
  private final HintMaker hints;
  private final Replacement replacement;
  private final VacuumCounters counters;

  public FileVacuum(
      DataFileCreator creator,
      LiveRecords live,
      Writer writer,
      InstantSource clock,
      HintMaker hints,
      Replacement replacement,
      VacuumCounters counters) {
    this.creator = creator;
    this.live = live;
    this.writer = writer;
    this.clock = clock;
    this.hints = hints;
    this.replacement = replacement;
    this.counters = counters;
  }

  long nowMillis() {
    return clock.millis();
  }

  /**
   * Rewrites neighbours.
   *
   * @param old neighbours in order, to which nobody appends
   * @param sealed all such files, in order
   * @return where one of them is damaged, and nothing was changed; empty: they were replaced
   * @throws IOException when nothing was changed, or the store has failed
   */
  Optional<Damage> vacuum(List<DataFile> old, List<DataFile> sealed, RateLimiter limiter)
      throws IOException {
    long settled = writer.settle();
    long removedTo = removedTo(old.getFirst(), sealed, settled);
    FileHeader header = creator.header(nameFor(old), settled);
    DataFile made;
    try (Rewrite rewrite =
        new Rewrite(creator.directory(), live, limiter, header, old, nowMillis(), removedTo)) {
      try {
        rewrite.copy(old);
      } catch (DamagedStoreException found) {
        rewrite.reading().foundDamaged();
        return Optional.of(new Damage(found.file(), found.offsetBytes(), found.why()));
      } catch (StoreReadException found) {
        rewrite.reading().foundDamaged();
        String why = String.valueOf(found.getMessage());
        return Optional.of(new Damage(rewrite.reading().path(), rewrite.offsetBytes(), why));
      }
      made = replacement.replace(old, rewrite);
    } catch (ErrnoException failed) {
      throw new StoreWriteException(creator.directory().path(), failed);
    }
    counters.replaced(old, made);
    try {
      replacement.remove(old);
    } catch (IOException failed) {
      counters.failed(failed); // what is left of them is deleted when the store is opened
    }
    if (!limiter.isStopped()) {
      hints.makeSoon(made); // without it the opening after a crash takes longer
    }
    return Optional.empty();
  }

  private static DataFileName nameFor(List<DataFile> old) {
    int generation = 0;
    for (DataFile file : old) {
      generation = Math.max(generation, file.header().name().generation());
    }
    long first = old.getFirst().header().name().first();
    return new DataFileName(first, old.getLast().header().name().last(), generation + 1);
  }

  /**
   * Returns a number: removals with at most this number hide nothing in files older than this one.
   */
  private static long removedTo(DataFile first, List<DataFile> sealed, long settled) {
    long removedTo = Long.MAX_VALUE;
    for (DataFile older : sealed.subList(0, sealed.indexOf(first))) {
      if (older.isClean()) {
        older.markCleanTo(settled);
      }
      removedTo = Math.min(removedTo, older.cleanTo());
    }
    return removedTo;
  }
}
