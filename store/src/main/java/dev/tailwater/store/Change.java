package dev.tailwater.store;

import java.util.Optional;

/**
 * A change of a batch. Does not copy its arrays.
 *
 * @param key the key that is set or removed
 * @param value empty for a removal
 * @param options the durability is ignored
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record Change(byte[] key, Optional<byte[]> value, WriteOptions options) {}
