package dev.tailwater.store.datafile.format;

import dev.tailwater.store.Entry;
import dev.tailwater.store.files.TagCodec;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The data of a key's record. Does not copy its arrays.
 *
 * @param expiresAtMillis 0: never
 * @param tags as of {@link TagCodec}
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record RecordData(
    boolean removes, byte[] key, byte[] value, long expiresAtMillis, byte[] tags) {
  private static final byte[] NOTHING = {};

  /** The key gets a value. */
  public static RecordData put(byte[] key, byte[] value, OptionalLong expiry, Set<String> tags) {
    return new RecordData(false, key, value, expiry.orElse(0), TagCodec.encode(tags));
  }

  /** The key is removed. */
  public static RecordData remove(byte[] key) {
    return new RecordData(true, key, NOTHING, 0, NOTHING);
  }

  /** Returns the same data with copied arrays. */
  public RecordData copy() {
    return new RecordData(removes, key.clone(), value.clone(), expiresAtMillis, tags);
  }

  /** Flags of {@link RecordHeader} that follow from what there is. */
  public int flags() {
    return (removes ? RecordHeader.REMOVE : 0)
        | (expiresAtMillis != 0 ? RecordHeader.EXPIRY : 0)
        | (tags.length != 0 ? RecordHeader.TAGS : 0);
  }

  /** Returns whether the value has expired at this time. */
  public boolean isExpired(long nowMillis) {
    return expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
  }

  /** As an entry of this version; the arrays are copied. */
  public Entry toEntry(long version) {
    return new Entry(
        key.clone(),
        value.clone(),
        version,
        expiresAtMillis == 0 ? OptionalLong.empty() : OptionalLong.of(expiresAtMillis),
        TagCodec.decode(tags).orElse(Set.of()));
  }
}
