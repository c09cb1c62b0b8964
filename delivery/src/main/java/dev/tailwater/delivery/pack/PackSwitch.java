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
 * like those that wait.
 */
public final class PackSwitch {
  private final PackUse use;
  private final long windowNanos;
  private final LongSupplier nanoClock;
  private volatile boolean on;

  /** When streams last had a short segment, the oldest first; fewer than turn packs on. */
  @GuardedBy("this")
  private final Map<String, Long> shortSegments = new LinkedHashMap<>();

  /**
   * Creates a switch.
   *
   * @param maxAge for how long short ranges may wait for others
   */
  public PackSwitch(PackUse use, Duration maxAge, LongSupplier nanoClock) {
    this.use = use;
    this.windowNanos = maxAge.toNanos();
    this.nanoClock = nanoClock;
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
    if (!on && !use.isNever() && (files >= use.leastFiles() || isOneOfMany(streamPrefix))) {
      on = true;
    }
    return on;
  }

  private synchronized boolean isOneOfMany(String streamPrefix) {
    long now = nanoClock.getAsLong();
    shortSegments.values().removeIf(atNanos -> now - atNanos > windowNanos);
    shortSegments.remove(streamPrefix);
    shortSegments.put(streamPrefix, now);
    return shortSegments.size() >= use.leastFiles();
  }

  /** Returns whether packs are used however few files there are. */
  public boolean isAlwaysOn() {
    return use.isAlways();
  }
}
