package dev.tailwater.restore.read;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.restore.StoredSegment;

/**
 * What one segment contributes to a file.
 *
 * @param range the bytes that are taken from it, in offsets of the stream; within its own range
 */
public record Piece(StoredSegment segment, ByteRange range) {}
