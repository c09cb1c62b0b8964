package dev.tailwater.delivery.pack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Whether short ranges, and what there is to say of files, travel in packs for one destination. It
 * is turned on once, and stays on until the agent ends. Thread-safe.
 *
 * <p>Many files are a reason for packs whether they wait together or are delivered one after the
 * other as fast as they are found; so those that had a short segment within {@code max_age} count
 * like those that wait. So do many files of which there is something to say: without packs, each
 * would have an object that says it.
 */
public final class PackSwitch {
  private final PackUse use;
  private final long windowNanos;
  private final LongSupplier nanoClock;
  private volatile boolean on;

  /** Which streams had a short segment. */
  private final RecentStreams shortSegments;

  /** Of which streams something was said. */
  private final RecentStreams told;

  /**
   * Creates a switch.
   *
   * @param maxAge for how long short ranges may wait for others
   */
  public PackSwitch(PackUse use, Duration maxAge, LongSupplier nanoClock) {
    this.use = use;
    this.windowNanos = maxAge.toNanos();
    this.nanoClock = nanoClock;
    this.shortSegments = new RecentStreams();
    this.told = new RecentStreams();
    this.on = use.isAlways();
  }

  /** Returns whether packs are in use. */
  public boolean isOn() {
    return on;
  }

  /**
   * Returns whether a short range travels in a pack; otherwise it has a segment of its own. Turns
   * packs on where so many files are a reason for that.
   *
   * @param streamPrefix whose range it is
   * @param files how many have unread bytes now
   */
  public boolean takes(String streamPrefix, int files) {
    if (!on
        && !use.isNever()
        && (files >= use.leastFiles() || shortSegments.add(streamPrefix) >= use.leastFiles())) {
      on = true;
    }
    return on;
  }

  /**
   * Returns whether what there is to say of a stream travels in a pack; otherwise it has an object
   * of its own. Turns packs on where so many files are a reason for that.
   */
  public boolean tells(String streamPrefix) {
    if (!on && !use.isNever() && told.add(streamPrefix) >= use.leastTold()) {
      on = true;
    }
    return on;
  }

  /** Returns whether packs are used however few files there are. */
  public boolean isAlwaysOn() {
    return use.isAlways();
  }

  /** Streams of which something happened within {@code max_age}; fewer than turn packs on. */
  private final class RecentStreams {
    /** When it last happened, the oldest first. */
    @GuardedBy("this")
    private final Map<String, Long> atNanos = new LinkedHashMap<>();

    /** Returns how many there are with this one. */
    synchronized int add(String streamPrefix) {
      long now = nanoClock.getAsLong();
      atNanos.values().removeIf(at -> now - at > windowNanos);
      atNanos.remove(streamPrefix);
      atNanos.put(streamPrefix, now);
      return atNanos.size();
    }
  }
}
