package dev.tailwater.delivery.neighbour;

import java.util.List;
import java.util.Map;

/**
 * What an agent does for its neighbours now.
 *
 * @param priority of the threads that work, in words
 * @param suspended whether all of it is suspended: in a hurry, or since the bytes get too old
 * @param yieldingTo for what it rests now: {@code cpu}, {@code io}, {@code memory}: others wait for
 *     that; {@code cpu_limit}
 * @param pressurePercent for which part of the last second others waited, by resource; empty: not
 *     looked at
 * @param restedMillis how long all threads have rested together
 * @param notes what has no effect on this machine, and why
 */
public record NeighbourReport(
    String priority,
    boolean suspended,
    List<String> yieldingTo,
    Map<String, Long> pressurePercent,
    long restedMillis,
    List<String> notes) {
  public NeighbourReport {
    yieldingTo = List.copyOf(yieldingTo);
    notes = List.copyOf(notes);
  }
}
