package dev.tailwater.delivery.stream;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Which modification time of a stream's file the archive has, or will have: the one that it is told
 * last counts for readers, as it does here. Not thread-safe: its stream guards it.
 */
final class ToldTime {
  /** How often the archive is told of times of one file at most that come without other bytes. */
  private static final long APART_NANOS = TimeUnit.SECONDS.toNanos(30);

  private boolean known;
  private long nanos;

  /** The time as of which readers take it, milliseconds since 1970. */
  private long atMillis;

  /** Whether the archive may lack the time with which the file is seen next. */
  private boolean missing;

  /** Whether a time that cannot be read counts as the one with which the file is seen next. */
  private boolean supposes;

  private boolean wasTellingAlone;
  private long toldAloneAtNanos;

  /** Creates the time of a stream of which this run has told nothing. */
  ToldTime() {}

  /**
   * Creates the time that an earlier run has told.
   *
   * @param seen the file when it was last seen
   */
  ToldTime(SeenFile seen, boolean isTold) {
    OptionalLong time = seen.modificationTimeNanos();
    known = isTold && time.isPresent();
    nanos = known ? time.getAsLong() : 0;
    atMillis = known ? seen.atMillis() : 0;
    missing = !isTold;
  }

  /** Notes which time a range has that is handed over, or that the archive has. */
  void stated(long timeNanos, long statedAtMillis) {
    if (!known || statedAtMillis >= atMillis) {
      set(timeNanos, statedAtMillis);
    }
  }

  /** Notes that the archive has a time that cannot be read. */
  void statedUnreadably(long statedAtMillis) {
    if (!known || statedAtMillis >= atMillis) {
      known = false;
      missing = true;
      atMillis = statedAtMillis;
    }
  }

  /** Takes times that cannot be read for the one with which the file is seen next. */
  void suppose() {
    supposes = true;
  }

  /** Notes which time a description has that has arrived: of ranges made later, theirs counts. */
  void described(long timeNanos, long describedAtMillis) {
    if (!known || describedAtMillis > atMillis) {
      set(timeNanos, describedAtMillis);
    }
  }

  private void set(long timeNanos, long setAtMillis) {
    known = true;
    missing = false;
    nanos = timeNanos;
    atMillis = setAtMillis;
  }

  /** Returns whether readers know another time than this one, which the file has. */
  boolean isOther(OptionalLong seenNanos) {
    if (missing && supposes && seenNanos.isPresent()) {
      set(seenNanos.getAsLong(), atMillis);
    }
    return seenNanos.isPresent() && (known ? nanos != seenNanos.getAsLong() : missing);
  }

  /** Returns whether it was not told of a time alone for a while. */
  boolean mayBeToldAlone(long nowNanos) {
    return !wasTellingAlone || nowNanos - toldAloneAtNanos >= APART_NANOS;
  }

  /** Notes that the archive is to be told of a time without any bytes. */
  void tellAlone(long timeNanos, long tellAtMillis, long nowNanos) {
    set(timeNanos, tellAtMillis);
    wasTellingAlone = true;
    toldAloneAtNanos = nowNanos;
  }
}
