package dev.tailwater.delivery.drain;

import dev.tailwater.archive.ByteSum;
import java.util.List;

/**
 * How a drain went for one destination.
 *
 * @param required whether the drain's success depends on it
 * @param deliveredBytes bytes of source files that became durable there during the drain
 * @param leftBehind what is not durable there
 */
public record DestinationDrain(
    String name,
    boolean required,
    long deliveredBytes,
    long deliveredSegments,
    List<LeftBehind> leftBehind) {

  public long leftBehindBytes() {
    return leftBehind.stream().mapToLong(LeftBehind::totalBytes).reduce(0, ByteSum::of);
  }
}
