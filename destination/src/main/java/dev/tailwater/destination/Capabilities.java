package dev.tailwater.destination;

/**
 * The limits of a destination and recommendations for its use.
 *
 * @param maxObjectBytes the longest object that one put can create
 * @param recommendedMaxAgeMillis how old the oldest byte of a segment may become before it is put:
 *     small where a put is nearly free, larger where each put is billed
 * @param recommendedMergeBytes the length up to which short segments are worth merging
 */
public record Capabilities(
    long maxObjectBytes, long recommendedMaxAgeMillis, long recommendedMergeBytes) {
  public Capabilities {
    if (maxObjectBytes < 1 || recommendedMaxAgeMillis < 0 || recommendedMergeBytes < 0) {
      throw new IllegalArgumentException("a capability is below its range");
    }
  }
}
