package dev.tailwater.store.log.map;

import dev.tailwater.store.files.TagCodec;
import dev.tailwater.store.log.format.Operation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Keys of the ordered map that finds entries by tag and by expiry; its values are the entries'
 * keys. For each tag of an entry: 0, the tag's length in 2 bytes, the tag in UTF-8, and the entry's
 * key. For an expiry: 1, the time in 8 bytes, and the entry's key. Numbers are big-endian, so that
 * they sort.
 */
final class TagKeys {
  private static final byte TAG = 0;
  private static final byte EXPIRY = 1;
  private static final int TAG_HEAD_BYTES = 1 + Short.BYTES;
  private static final int EXPIRY_HEAD_BYTES = 1 + Long.BYTES;

  private TagKeys() {}

  /** Returns all tag keys of an entry, each as a put of the entry's key. */
  static List<Operation> of(Operation put) {
    if (put.expiresAtMillis() == 0 && put.tags().length == 0) {
      return List.of();
    }
    List<Operation> tagKeys = new ArrayList<>();
    if (put.expiresAtMillis() != 0) {
      tagKeys.add(Operation.put(expiryKey(put.expiresAtMillis(), put.key()), put.key()));
    }
    for (String tag : TagCodec.decode(put.tags()).orElseThrow()) {
      byte[] prefix = tagPrefix(tag);
      byte[] key = Arrays.copyOf(prefix, prefix.length + put.key().length);
      System.arraycopy(put.key(), 0, key, prefix.length, put.key().length);
      tagKeys.add(Operation.put(key, put.key()));
    }
    return tagKeys;
  }

  private static byte[] expiryKey(long expiresAtMillis, byte[] key) {
    return ByteBuffer.allocate(EXPIRY_HEAD_BYTES + key.length)
        .put(EXPIRY)
        .putLong(expiresAtMillis)
        .put(key)
        .array();
  }

  /** Returns the lowest key of an expiry. */
  static byte[] firstExpiry() {
    return new byte[] {EXPIRY};
  }

  /** Returns whether this is the key of an expiry that has passed. */
  static boolean isExpired(byte[] tagKey, long nowMillis) {
    return tagKey[0] == EXPIRY && ByteBuffer.wrap(tagKey).getLong(1) <= nowMillis;
  }

  /** Returns the prefix of the keys of this tag, which must not be too long for a tag. */
  static byte[] tagPrefix(String tag) {
    byte[] text = tag.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(TAG_HEAD_BYTES + text.length)
        .put(TAG)
        .putShort((short) text.length)
        .put(text)
        .array();
  }

  /** Returns whether this is the key of a tag. */
  static boolean isTag(byte[] tagKey) {
    return tagKey[0] == TAG;
  }

  /** Returns the tag of such a key. */
  static String tag(byte[] tagKey) {
    int length = Short.toUnsignedInt(ByteBuffer.wrap(tagKey).getShort(1));
    return new String(tagKey, TAG_HEAD_BYTES, length, StandardCharsets.UTF_8);
  }
}
