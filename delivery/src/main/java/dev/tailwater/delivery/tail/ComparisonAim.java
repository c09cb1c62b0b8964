package dev.tailwater.delivery.tail;

import dev.tailwater.delivery.stream.StreamProgress;

/**
 * What of a file somebody wants compared: all that was written to it by some moment. What was read
 * later needs no comparison for that, so it is enough to compare what is before an offset.
 *
 * @param stream the present one of that moment
 * @param changes the number of {@link Tail#changes} at that moment
 * @param untilBytes the largest size that the file was seen with in this stream
 */
public record ComparisonAim(StreamProgress stream, long changes, long untilBytes) {}
