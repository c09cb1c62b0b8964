package dev.tailwater.delivery.quiet;

import dev.tailwater.delivery.tail.WatchedFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets quiet files leave memory when there are many. Those that were active last stay. No step
 * takes longer when there are more files. Used by the watch thread only.
 */
public final class FileEvictor {
  /** How many files are looked at in one step. */
  private static final int MOST_IN_A_STEP = 8_192;

  /**
   * One in so many files leaves when others need memory: some at once, since all that leave
   * together cost one write, and not all, since those that were active last would only come back.
   */
  private static final int ROOM_ONE_IN = 8;

  /** The time between two steps while files leave. */
  private static final int MIN_STEP_MILLIS = 100;

  /** The time between two steps while files are written to, and the longest one. */
  private static final int ACTIVE_STEP_MILLIS = 1_000;

  private static final int MAX_STEP_MILLIS = 60_000;

  /** The shortest time between two steps where no quiet file stays. */
  private static final int EAGER_STEP_MILLIS = 5;

  /**
   * How long a file stays that was written to or asked for, since that may happen again: each time
   * that it leaves and comes back costs a read of the table, and often a write.
   */
  private static final long STAYS_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long no room is looked for after none was found, for the time that it took. */
  private static final int REST_FACTOR = 9;

  /**
   * The longest such rest. A search may have taken long because the machine stood still, and a
   * drain gives up after two seconds in which nobody made room.
   */
  private static final long MOST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How much later a file is active again until its turn is put off for that. */
  private static final long TURN_NANOS = STAYS_NANOS / 2;

  private final Exit exit;
  private final int filesInMemory;
  private final LongSupplier nanoClock;

  /** The way out of memory. */
  public interface Exit {
    /**
     * Returns whether nothing is to be done with a file, so that it may leave.
     *
     * @param atOnce whether others need its memory: what is to be done is to be done soon then
     */
    boolean mayLeave(WatchedFile file, boolean atOnce);

    /**
     * Lets files leave; returns those that stay, since something is done with them by now.
     *
     * @param atOnce whether others need their memory: what is known of them is not written with
     *     what comes next, which may be seconds later, but now
     */
    List<WatchedFile> leave(List<WatchedFile> files, boolean atOnce);
  }

  /** How long a file stays. */
  private static final class Stay {
    /** When its turn was put off last. */
    long turnNanos;

    long untilNanos;

    Stay(long turnNanos, long untilNanos) {
      this.turnNanos = turnNanos;
      this.untilNanos = untilNanos;
    }
  }

  /**
   * The files in memory. Those that were active or looked at longest ago come first, give or take
   * {@link #TURN_NANOS}: a file that is written to all the time is not moved each time.
   */
  private final Map<WatchedFile, Stay> stays = new LinkedHashMap<>();

  private long steppedAtNanos;
  private int stepMillis;

  /** When room was looked for, and how long it is not looked for again, as too little was found. */
  private long crampedAtNanos;

  private long crampedForNanos;

  /**
   * Creates one without files.
   *
   * @param filesInMemory how many stay, even if they are quiet
   */
  public FileEvictor(Exit exit, int filesInMemory, LongSupplier nanoClock) {
    this.exit = exit;
    this.filesInMemory = filesInMemory;
    this.nanoClock = nanoClock;
    this.steppedAtNanos = nanoClock.getAsLong();
    this.stepMillis = minStepMillis();
  }

  /** Notes that a file was found: it may leave as soon as it is quiet. */
  public void found(WatchedFile file) {
    if (!stays.containsKey(file)) {
      long now = nanoClock.getAsLong();
      stays.put(file, new Stay(now, now));
      stepMillis = minStepMillis();
    }
  }

  /** Notes that a file was written to, or asked for. */
  public void active(WatchedFile file) {
    long now = nanoClock.getAsLong();
    long untilNanos = now + (isEager() ? 0 : STAYS_NANOS);
    Stay stay = stays.get(file);
    if (stay == null) {
      stays.put(file, new Stay(now, untilNanos));
    } else {
      stay.untilNanos = untilNanos;
      if (now - stay.turnNanos >= TURN_NANOS) {
        stay.turnNanos = now;
        stays.remove(file);
        stays.put(file, stay);
      }
    }
    stepMillis = Math.min(stepMillis, isEager() ? EAGER_STEP_MILLIS : ACTIVE_STEP_MILLIS);
  }

  private boolean isEager() {
    return filesInMemory == 0;
  }

  private int minStepMillis() {
    return isEager() ? EAGER_STEP_MILLIS : MIN_STEP_MILLIS;
  }

  private int maxStepMillis() {
    return isEager() ? ACTIVE_STEP_MILLIS : MAX_STEP_MILLIS;
  }

  /** Notes that a file is closed for good. */
  public void closed(WatchedFile file) {
    stays.remove(file);
  }

  /** Returns how soon {@link #step} has something to do; empty when it has nothing. */
  public OptionalInt stepAfterMillis() {
    return isCrowded() ? OptionalInt.of(stepMillis) : OptionalInt.empty();
  }

  private boolean isCrowded() {
    return stays.size() > filesInMemory;
  }

  /** Looks at some files if it is time, and lets those leave that are quiet. */
  public void step() {
    long now = nanoClock.getAsLong();
    if (isCrowded() && now - steppedAtNanos >= TimeUnit.MILLISECONDS.toNanos(stepMillis)) {
      // Files that are never quiet, as those with several names, are asked less and less often.
      stepMillis =
          leave(false, Integer.MAX_VALUE) > 0
              ? minStepMillis()
              : Math.min(maxStepMillis(), 2 * stepMillis);
      steppedAtNanos = now;
    }
  }

  /**
   * Lets some files leave at once, however short they are quiet: others need their memory. While
   * few are quiet, that is asked of all of them in little more than a tenth of the time, but at
   * least twice in a second.
   */
  public void makeRoom() {
    long startNanos = nanoClock.getAsLong();
    if (startNanos - crampedAtNanos < crampedForNanos) {
      return;
    }
    int wanted = 1 + stays.size() / ROOM_ONE_IN;
    int missing = wanted - leave(true, wanted);
    crampedAtNanos = nanoClock.getAsLong();
    long tookNanos = Math.min(MOST_REST_NANOS, crampedAtNanos - startNanos);
    crampedForNanos = Math.min(MOST_REST_NANOS, REST_FACTOR * tookNanos * missing / wanted);
  }

  /** Lets files leave; returns how many did. */
  private int leave(boolean atOnce, int most) {
    long now = nanoClock.getAsLong();
    boolean isSoon = atOnce || isEager();
    List<WatchedFile> leaving = new ArrayList<>();
    for (int i = Math.min(MOST_IN_A_STEP, stays.size());
        i > 0 && isCrowded() && leaving.size() < most;
        i--) {
      Map.Entry<WatchedFile, Stay> first = stays.entrySet().iterator().next();
      WatchedFile file = first.getKey();
      Stay stay = first.getValue();
      stays.remove(file);
      if ((atOnce || stay.untilNanos - now <= 0) && exit.mayLeave(file, isSoon)) {
        leaving.add(file);
      } else {
        stay.turnNanos = now;
        stays.put(file, stay);
      }
    }
    if (leaving.isEmpty()) {
      return 0;
    }
    List<WatchedFile> staying = exit.leave(leaving, isSoon);
    staying.forEach(file -> stays.put(file, new Stay(now, now)));
    return leaving.size() - staying.size();
  }
}
