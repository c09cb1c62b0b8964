package dev.tailwater.store.log;

import dev.tailwater.store.Entry;
import dev.tailwater.store.files.TagCodec;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One change of one key. Holds its arrays: whoever makes one copies what is not its own. What is in
 * a map of operations are puts.
 */
final class Operation {
  static final byte PUT = 1;
  static final byte REMOVE = 2;

  /** A put that carries version, expiry and tags. */
  static final byte FULL_PUT = 3;

  private static final byte[] NOTHING = {};
  private static final long NEVER = 0;

  private final byte kind;
  private final byte[] key;
  private final byte[] value;
  private final long version;
  private final long expiresAtMillis;
  private final byte[] tags;

  private Operation(
      byte kind, byte[] key, byte[] value, long version, long expiresAtMillis, byte[] tags) {
    this.kind = kind;
    this.key = key;
    this.value = value;
    this.version = version;
    this.expiresAtMillis = expiresAtMillis;
    this.tags = tags;
  }

  static Operation put(byte[] key, byte[] value) {
    return new Operation(PUT, key, value, 0, NEVER, NOTHING);
  }

  static Operation put(byte[] key, byte[] value, OptionalLong expiresAtMillis, Set<String> tags) {
    if (expiresAtMillis.isEmpty() && tags.isEmpty()) {
      return put(key, value);
    }
    return fullPut(key, value, 0, expiresAtMillis.orElse(NEVER), TagCodec.encode(tags));
  }

  /**
   * As it stands in a file.
   *
   * @param expiresAtMillis 0: never
   * @param tags as of {@link TagCodec}
   */
  static Operation fullPut(
      byte[] key, byte[] value, long version, long expiresAtMillis, byte[] tags) {
    return new Operation(FULL_PUT, key, value, version, expiresAtMillis, tags);
  }

  static Operation remove(byte[] key) {
    return new Operation(REMOVE, key, NOTHING, 0, NEVER, NOTHING);
  }

  Operation withVersion(long number) {
    return new Operation(kind, key, value, number, expiresAtMillis, tags);
  }

  /** The same put with all that belongs to it, for a snapshot. */
  Operation full() {
    return kind == FULL_PUT ? this : fullPut(key, value, version, expiresAtMillis, tags);
  }

  byte kind() {
    return kind;
  }

  boolean isPut() {
    return kind != REMOVE;
  }

  byte[] key() {
    return key;
  }

  /** Empty for a removal. */
  byte[] value() {
    return value;
  }

  /** See "Versions of entries" in docs/store-format.md; 0 while it has none. */
  long version() {
    return version;
  }

  /** 0: never. */
  long expiresAtMillis() {
    return expiresAtMillis;
  }

  /** As of {@link TagCodec}. */
  byte[] tags() {
    return tags;
  }

  boolean isExpired(long nowMillis) {
    return expiresAtMillis != NEVER && expiresAtMillis <= nowMillis;
  }

  /** Copies everything. */
  Entry toEntry() {
    OptionalLong expiry =
        expiresAtMillis == NEVER ? OptionalLong.empty() : OptionalLong.of(expiresAtMillis);
    return new Entry(
        key.clone(), value.clone(), version, expiry, TagCodec.decode(tags).orElseThrow());
  }

  /** Length of this operation in a frame's payload. */
  int encodedBytes() {
    return OperationCodec.headBytes(kind) + key.length + value.length + tags.length;
  }
}
