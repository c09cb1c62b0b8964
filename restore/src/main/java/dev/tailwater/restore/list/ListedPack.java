package dev.tailwater.restore.list;

import dev.tailwater.archive.name.PackName;

/**
 * A pack as the listing shows it.
 *
 * @param objectBytes the length of its object
 * @param modifiedMillis when it was delivered, by the destination's clock, milliseconds since 1970
 */
public record ListedPack(PackName name, long objectBytes, long modifiedMillis) {}
