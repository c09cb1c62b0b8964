package dev.tailwater.store;

import java.util.Optional;

/**
 * One change of a batch. Holds its arrays and does not copy them.
 *
 * @param value empty for a removal
 * @param options its durability is not looked at
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record Change(byte[] key, Optional<byte[]> value, WriteOptions options) {}
