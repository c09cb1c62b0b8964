package dev.tailwater.store.log.format;

import dev.tailwater.store.Entry;
import dev.tailwater.store.files.TagCodec;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A change of a key. Does not copy its arrays: the creator copies what is not its own. A map of
 * operations holds only puts.
 */
public final class Operation {
  static final byte PUT = 1;
  static final byte REMOVE = 2;

  /** A put that carries version, expiry and tags. */
  public static final byte FULL_PUT = 3;

  // Length of an operation before its key: the kind, the lengths, and the numbers of a full put.
  static final int PUT_HEAD_BYTES = 9;
  public static final int REMOVE_HEAD_BYTES = 5;
  static final int FULL_PUT_HEAD_BYTES = 27;

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

  public static Operation put(byte[] key, byte[] value) {
    return new Operation(PUT, key, value, 0, NEVER, NOTHING);
  }

  public static Operation put(
      byte[] key, byte[] value, OptionalLong expiresAtMillis, Set<String> tags) {
    if (expiresAtMillis.isEmpty() && tags.isEmpty()) {
      return put(key, value);
    }
    return fullPut(key, value, 0, expiresAtMillis.orElse(NEVER), TagCodec.encode(tags));
  }

  /**
   * Returns a put as it is in a file.
   *
   * @param expiresAtMillis 0: never
   * @param tags as of {@link TagCodec}
   */
  static Operation fullPut(
      byte[] key, byte[] value, long version, long expiresAtMillis, byte[] tags) {
    return new Operation(FULL_PUT, key, value, version, expiresAtMillis, tags);
  }

  public static Operation remove(byte[] key) {
    return new Operation(REMOVE, key, NOTHING, 0, NEVER, NOTHING);
  }

  public Operation withVersion(long number) {
    return new Operation(kind, key, value, number, expiresAtMillis, tags);
  }

  /** Returns this put as a full put, for a snapshot. */
  public Operation full() {
    return kind == FULL_PUT ? this : fullPut(key, value, version, expiresAtMillis, tags);
  }

  public byte kind() {
    return kind;
  }

  public boolean isPut() {
    return kind != REMOVE;
  }

  public byte[] key() {
    return key;
  }

  /** Empty for a removal. */
  public byte[] value() {
    return value;
  }

  /** The version of the entry, see "Operation" in docs/store-format.md; 0 while it has none. */
  public long version() {
    return version;
  }

  /** 0: never. */
  public long expiresAtMillis() {
    return expiresAtMillis;
  }

  /** As of {@link TagCodec}. */
  public byte[] tags() {
    return tags;
  }

  public boolean isExpired(long nowMillis) {
    return expiresAtMillis != NEVER && expiresAtMillis <= nowMillis;
  }

  /** Copies everything. */
  public Entry toEntry() {
    OptionalLong expiry =
        expiresAtMillis == NEVER ? OptionalLong.empty() : OptionalLong.of(expiresAtMillis);
    return new Entry(
        key.clone(), value.clone(), version, expiry, TagCodec.decode(tags).orElseThrow());
  }

  /** Length of this operation in a frame's payload. */
  public int encodedBytes() {
    return headBytes() + key.length + value.length + tags.length;
  }

  int headBytes() {
    return switch (kind) {
      case PUT -> PUT_HEAD_BYTES;
      case REMOVE -> REMOVE_HEAD_BYTES;
      default -> FULL_PUT_HEAD_BYTES;
    };
  }
}
