package dev.tailwater.delivery.status;

import java.util.List;
import java.util.Optional;

/**
 * How far one file is delivered.
 *
 * @param stream the id of its stream; empty when the agent does not know the file
 * @param durableBytes how many bytes are durable at every required destination
 * @param change whether the durable bytes are those that the file holds now, under its name
 * @param destinations how far it is delivered to each, including the best-effort ones
 */
public record FileDelivery(
    String path,
    Optional<String> stream,
    long sizeBytes,
    long durableBytes,
    Change change,
    List<AtDestination> destinations) {

  /** Whether the file is another than the one that is durable; the worst comes last. */
  public enum Change {
    NONE,
    /** The archive does not tell yet that the file has its present name, or that it is empty. */
    RENAMED,
    /** The file was written to since it was compared with what is durable. */
    SUSPECTED,
    /** The file holds other bytes than those that were delivered, and these are not delivered. */
    CHANGED_IN_PLACE
  }

  /** How far it is delivered to one destination. */
  public record AtDestination(String name, boolean required, long durableBytes) {}

  /** Creates the status of a file that the agent does not know. */
  public static FileDelivery unknown(String path, long sizeBytes) {
    return new FileDelivery(path, Optional.empty(), sizeBytes, 0, Change.NONE, List.of());
  }

  public static FileDelivery of(
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

  /**
   * Returns whether every byte of the file as it is now is durable at every required destination,
   * which also know it under its name.
   */
  public boolean isDelivered() {
    return stream.isPresent() && durableBytes >= sizeBytes && change == Change.NONE;
  }
}
