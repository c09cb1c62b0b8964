package dev.tailwater.delivery.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.ArrivalClock;
import dev.tailwater.delivery.time.ToldTimes;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Numbers the arrivals of files at paths: of two files that were at one path, the one with the
 * higher number came later. The numbers are times in nanoseconds since 1970 as far as the clock
 * goes forward, and never go back. {@link ArrivalClock} gives them out. Thread-safe.
 */
public final class Arrivals implements AutoCloseable {
  private static final byte[] KEY = "arrivals".getBytes(US_ASCII);

  /**
   * How far ahead of the clock a number is noted for the next start, so that not every arrival must
   * be noted. It matters only where the clock is set back before that start.
   */
  private static final long AHEAD_NANOS =
      TimeUnit.MILLISECONDS.toNanos(ToldTimes.ARRIVALS_AHEAD_MILLIS);

  /** How many numbers are noted ahead where the numbers are ahead of the clock. */
  private static final long AHEAD_OF_NUMBERS = 1_000_000;

  private final KeyValueStore notes;
  private final ArrivalClock clock;

  /** Writes again what could not be written, since the watch may not look for a minute. */
  private final CheckpointSaver saver;

  /** No number of this run is higher than what was noted last. Also read by {@link #saver}. */
  private volatile long notedNanos;

  private Arrivals(KeyValueStore notes, ArrivalClock clock, Problems problems, long notedNanos) {
    this.notes = notes;
    this.clock = clock;
    this.saver = CheckpointSaver.ofNotes(problems);
    this.notedNanos = notedNanos;
    clock.goOnBehind(notedNanos);
  }

  /** Goes on behind the highest number that earlier runs have noted. */
  public static Arrivals after(KeyValueStore notes, ArrivalClock clock, Problems problems)
      throws IOException {
    long notedNanos =
        notes
            .get(KEY)
            .filter(value -> value.length == Long.BYTES)
            .map(value -> ByteBuffer.wrap(value).getLong())
            .orElse(0L);
    return new Arrivals(notes, clock, problems, notedNanos);
  }

  /** Returns the number of an arrival now: higher than all before. */
  public long nextNanos() {
    return clock.nextNanos();
  }

  /**
   * Returns the time of a look at directories that begins now, as {@link ArrivalClock#lookMillis}
   * does. It is noted: what the look finds may be told before the watch notes anything.
   */
  public long lookMillis() {
    long millis = clock.lookMillis();
    note();
    return millis;
  }

  /**
   * Goes on after an arrival of which an archive tells, as {@link ArrivalClock#goOnAfter} does.
   *
   * @return by how many milliseconds this was behind; 0 if it was not
   */
  public long goOnAfter(long toldMillis) {
    return clock.goOnAfter(toldMillis);
  }

  private long nowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(clock.clockMillis());
  }

  /**
   * Notes, from time to time, where the next start goes on if this run is killed: behind numbers
   * that this run may still give.
   */
  public synchronized void note() {
    long last = clock.lastNanos();
    if (last > notedNanos) {
      notedNanos = Math.max(last + AHEAD_OF_NUMBERS, nowNanos() + AHEAD_NANOS);
      var _ = saver.note("arrivals", this::write);
    }
  }

  /** Returns the time of the highest number, milliseconds since 1970. */
  public long lastMillis() {
    return TimeUnit.NANOSECONDS.toMillis(clock.lastNanos());
  }

  private void write() throws IOException {
    notes.put(KEY, ByteBuffer.allocate(Long.BYTES).putLong(notedNanos).array());
  }

  /**
   * Notes the highest number itself, or the time now: this run has told other things since. Ends
   * attempts to note what could not be noted.
   */
  @Override
  public synchronized void close() {
    clock.goOnBehind(nowNanos());
    long last = clock.lastNanos();
    if (notedNanos != last) {
      notedNanos = last;
      var _ = saver.note("arrivals", this::write);
    }
    var _ = saver.end();
  }
}
