package dev.tailwater.delivery.neighbour;

import java.util.List;
import java.util.Map;

/**
 * What an agent does for its neighbours at present.
 *
 * @param priority that of the threads that work, in words
 * @param suspended whether politeness is suspended, in a hurry or because bytes get too old
 * @param yieldingTo why it rests now: {@code cpu}, {@code io} or {@code memory}, which others wait
 *     for, or {@code cpu_limit}
 * @param pressurePercent for which part of the last second others waited, by resource; empty when
 *     that is not measured
 * @param restedMillis how long all threads together have rested
 * @param notes which settings have no effect on this machine, and why
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
