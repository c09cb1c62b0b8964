package dev.tailwater.delivery;

import java.util.List;
import java.util.Optional;

/**
 * How far one file is delivered.
 *
 * @param stream its stream; empty when the agent does not know the file
 * @param durableBytes durable at every required destination
 * @param change whether the durable bytes are those that the file holds now
 * @param destinations each by itself, the best-effort ones too
 */
public record FileDelivery(
    String path,
    Optional<String> stream,
    long sizeBytes,
    long durableBytes,
    Change change,
    List<AtDestination> destinations) {

  /** What is known of bytes that may have been changed after they were read. */
  public enum Change {
    NONE,
    /** The file was written to without growing, and nobody knows yet what that means. */
    SUSPECTED,
    /** It holds other bytes than those that were delivered. */
    CHANGED_IN_PLACE
  }

  /** How far it is delivered to one destination. */
  public record AtDestination(String name, boolean required, long durableBytes) {}

  /** A file that the agent does not know. */
  static FileDelivery unknown(String path, long sizeBytes) {
    return new FileDelivery(path, Optional.empty(), sizeBytes, 0, Change.NONE, List.of());
  }

  static FileDelivery of(
      String path, String stream, long sizeBytes, Change change, List<AtDestination> destinations) {
    long durableBytes =
        destinations.stream()
            .filter(AtDestination::required)
            .mapToLong(AtDestination::durableBytes)
            .min()
            .orElse(0);
    return new FileDelivery(
        path, Optional.of(stream), sizeBytes, durableBytes, change, destinations);
  }

  /** Whether every byte that is in the file now is durable at every required destination. */
  public boolean isDelivered() {
    return stream.isPresent() && durableBytes >= sizeBytes && change == Change.NONE;
  }
}
