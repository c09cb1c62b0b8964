package dev.tailwater.delivery.route;

import java.time.LocalTime;
import java.util.List;
import java.util.OptionalLong;

/**
 * How fast bytes may be sent to a destination, by the time of day.
 *
 * @param windows times of day with a limit; the first that contains a time counts
 * @param otherwise bytes per second when no window contains the time; empty: no limit
 */
public record Bandwidth(List<Window> windows, OptionalLong otherwise) {
  /** No limit at any time. */
  public static final Bandwidth UNLIMITED = new Bandwidth(List.of(), OptionalLong.empty());

  /**
   * A limit at a time of day, every day.
   *
   * @param from inclusive
   * @param to exclusive; before {@code from}, it is on the next day; equal: the whole day
   * @param bytesPerSecond 0: nothing is sent
   */
  public record Window(LocalTime from, LocalTime to, long bytesPerSecond) {
    public Window {
      requireRate(bytesPerSecond);
    }

    boolean contains(LocalTime time) {
      boolean sinceFrom = !time.isBefore(from);
      boolean beforeTo = time.isBefore(to);
      return from.isBefore(to) ? sinceFrom && beforeTo : sinceFrom || beforeTo;
    }
  }

  public Bandwidth {
    windows = List.copyOf(windows);
    otherwise.ifPresent(Bandwidth::requireRate);
  }

  private static void requireRate(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(bytesPerSecond + " bytes per second");
    }
  }

  /** Returns whether there is never a limit. */
  public boolean isUnlimited() {
    return windows.isEmpty() && otherwise.isEmpty();
  }

  /** Returns the limit at that time; empty: none. */
  public OptionalLong bytesPerSecondAt(LocalTime time) {
    for (Window window : windows) {
      if (window.contains(time)) {
        return OptionalLong.of(window.bytesPerSecond());
      }
    }
    return otherwise;
  }
}
