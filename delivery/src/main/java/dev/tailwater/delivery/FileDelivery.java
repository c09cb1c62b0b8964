package dev.tailwater.delivery;

import java.util.Optional;

/**
 * How far one file is delivered.
 *
 * @param stream its stream; empty when the agent does not know the file
 */
public record FileDelivery(
    String path, Optional<String> stream, long sizeBytes, long durableBytes) {
  /** Whether every byte that is in the file now is durable at the destination. */
  public boolean isDelivered() {
    return stream.isPresent() && durableBytes >= sizeBytes;
  }
}
