package dev.tailwater.delivery.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Numbers the arrivals of files at paths: of two files that were at one path, the one with the
 * higher number came later. The numbers are times in nanoseconds since 1970 as far as the clock
 * goes forward, and never go back. For the watch thread.
 */
public final class Arrivals {
  private static final byte[] KEY = "arrivals".getBytes(US_ASCII);

  /**
   * How often the highest number is noted for the next start. It matters only where the clock is
   * set back before that start.
   */
  private static final long NOTED_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long RETRY_MILLIS = 1_000;

  private final KeyValueStore notes;
  private final LongSupplier clockMillis;
  private final Problems problems;
  private long lastNanos;
  private long notedNanos;

  /** When noting it has failed; empty since it has not. */
  private OptionalLong failedAtMillis = OptionalLong.empty();

  private Arrivals(
      KeyValueStore notes, LongSupplier clockMillis, Problems problems, long notedNanos) {
    this.notes = notes;
    this.clockMillis = clockMillis;
    this.problems = problems;
    this.lastNanos = notedNanos;
    this.notedNanos = notedNanos;
  }

  /** Goes on behind the highest number that earlier runs have noted. */
  public static Arrivals after(KeyValueStore notes, LongSupplier clockMillis, Problems problems)
      throws IOException {
    long notedNanos =
        notes
            .get(KEY)
            .filter(value -> value.length == Long.BYTES)
            .map(value -> ByteBuffer.wrap(value).getLong())
            .orElse(0L);
    return new Arrivals(notes, clockMillis, problems, notedNanos);
  }

  /** Returns the number of an arrival now: higher than all before. */
  public long nextNanos() {
    lastNanos = Math.max(lastNanos + 1, TimeUnit.MILLISECONDS.toNanos(clockMillis.getAsLong()));
    return lastNanos;
  }

  /**
   * Notes the highest number for the next start, from time to time; if that has failed, again after
   * a second, although nothing may have arrived since: else the problem would never be over.
   */
  public void note() {
    if (!isDue()) {
      return;
    }
    try {
      notes.put(KEY, ByteBuffer.allocate(Long.BYTES).putLong(lastNanos).array());
      notedNanos = lastNanos;
      if (failedAtMillis.isPresent()) {
        failedAtMillis = OptionalLong.empty();
        CheckpointSaver.resolved(problems);
      }
    } catch (IOException e) {
      failedAtMillis = OptionalLong.of(clockMillis.getAsLong());
      CheckpointSaver.report(problems, e);
    }
  }

  private boolean isDue() {
    return failedAtMillis.isPresent()
        ? Math.abs(clockMillis.getAsLong() - failedAtMillis.getAsLong()) >= RETRY_MILLIS
        : lastNanos - notedNanos >= NOTED_EVERY_NANOS;
  }
}
