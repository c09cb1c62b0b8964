package dev.tailwater.archive.seal;

import dev.tailwater.archive.name.PackName;

/**
 * A pack as it is without encryption.
 *
 * @param name its name, if it were an object
 * @param object the whole pack
 */
public record PlainPack(PackName name, @SuppressWarnings("ArrayRecordComponent") byte[] object) {}
