package dev.tailwater.restore;

import dev.tailwater.archive.ByteRange;

/**
 * A range that was destroyed before it could be read.
 *
 * @param reason what the agent noted; {@code "not readable"} when its note is damaged
 */
public record StoredGap(ByteRange range, String reason) {}
