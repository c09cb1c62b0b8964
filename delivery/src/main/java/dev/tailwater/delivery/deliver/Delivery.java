package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.Marker;
import java.util.Optional;

/**
 * A sealed segment on its way to a destination.
 *
 * @param frames kept for merging, if the segment is short
 * @param markerAtEnd checksum of the stream's bytes before the segment's end
 * @param sinceNanos when the first of its bytes was seen in the file, which decides their age
 * @param dueNanos when its sealing was due, from which its latency counts
 * @param release gives the staging buffer back; called once, when the segment is durable or given
 *     up
 */
public record Delivery(
    SealedSegment segment,
    Optional<HeldFrames> frames,
    StreamProgress stream,
    Marker markerAtEnd,
    long sinceNanos,
    long dueNanos,
    Runnable release) {}
