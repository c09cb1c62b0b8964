package dev.tailwater.delivery;

import java.util.List;
import java.util.Optional;

/**
 * How far one file is delivered.
 *
 * @param stream its stream; empty when the agent does not know the file
 * @param durableBytes durable at every required destination
 * @param destinations each by itself, the best-effort ones too
 */
public record FileDelivery(
    String path,
    Optional<String> stream,
    long sizeBytes,
    long durableBytes,
    List<AtDestination> destinations) {

  /** How far it is delivered to one destination. */
  public record AtDestination(String name, boolean required, long durableBytes) {}

  /** A file that the agent does not know. */
  static FileDelivery unknown(String path, long sizeBytes) {
    return new FileDelivery(path, Optional.empty(), sizeBytes, 0, List.of());
  }

  static FileDelivery of(
      String path, String stream, long sizeBytes, List<AtDestination> destinations) {
    long durableBytes =
        destinations.stream()
            .filter(AtDestination::required)
            .mapToLong(AtDestination::durableBytes)
            .min()
            .orElse(0);
    return new FileDelivery(path, Optional.of(stream), sizeBytes, durableBytes, destinations);
  }

  /** Whether every byte that is in the file now is durable at every required destination. */
  public boolean isDelivered() {
    return stream.isPresent() && durableBytes >= sizeBytes;
  }
}
