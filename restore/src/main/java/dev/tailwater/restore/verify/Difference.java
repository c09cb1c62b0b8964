package dev.tailwater.restore.verify;

import dev.tailwater.archive.ByteRange;
import java.util.OptionalLong;

/**
 * A stored range whose bytes are not those of the file.
 *
 * @param range what one segment contributes to the stream
 * @param firstOffsetBytes the first byte that differs, or the file's end; empty when the segment
 *     cannot be opened, so that only its checksum is known
 */
public record Difference(ByteRange range, OptionalLong firstOffsetBytes) {}
