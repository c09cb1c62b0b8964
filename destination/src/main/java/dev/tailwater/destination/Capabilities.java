package dev.tailwater.destination;

/**
 * What a destination can take, and how it likes to be used.
 *
 * @param maxObjectBytes the longest object that one put can create
 * @param recommendedMaxAgeMillis how old the oldest byte of a segment may become before a put is
 *     worth its price: small where a put is nearly free, larger where each is billed
 * @param recommendedMergeBytes up to which length short segments are worth merging
 */
public record Capabilities(
    long maxObjectBytes, long recommendedMaxAgeMillis, long recommendedMergeBytes) {
  public Capabilities {
    if (maxObjectBytes < 1 || recommendedMaxAgeMillis < 0 || recommendedMergeBytes < 0) {
      throw new IllegalArgumentException("a capability is below its range");
    }
  }
}
