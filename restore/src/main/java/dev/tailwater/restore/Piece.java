package dev.tailwater.restore;

import dev.tailwater.archive.ByteRange;

/**
 * What one segment contributes to a file.
 *
 * @param range the bytes that are taken from it, in offsets of the stream; within its own range
 */
record Piece(StoredSegment segment, ByteRange range) {}
