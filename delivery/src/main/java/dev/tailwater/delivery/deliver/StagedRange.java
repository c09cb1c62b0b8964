package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.stream.StreamProgress;

/** Bytes that were read and are not durable: under way, waiting, or given up. */
public record StagedRange(StreamProgress stream, ByteRange range) {}
