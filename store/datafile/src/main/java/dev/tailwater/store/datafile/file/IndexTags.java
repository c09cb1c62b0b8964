package dev.tailwater.store.datafile.file;

import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.files.TagCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The index tags of a record, under which the tag index finds it: each of its tags, and the span of
 * about a minute in which it expires, so that expired records are found without reading all.
 */
public final class IndexTags {
  private static final String TAG = "t";
  private static final String EXPIRY = "e";
  private static final int SPAN_BITS = 16;

  private IndexTags() {}

  /** Returns whether the record has any. */
  public static boolean has(RecordData data) {
    return data.tags().length > 0 || data.expiresAtMillis() != 0;
  }

  /** Returns the index tags of a record. */
  public static List<String> of(RecordData data) {
    return of(data.tags(), data.expiresAtMillis());
  }

  /** Returns the index tags of the whole record that begins there. */
  public static List<String> of(RecordBytes bytes, int from, RecordHeader header) {
    return header.has(RecordHeader.TAGS | RecordHeader.EXPIRY)
        ? of(bytes.tags(from, header), bytes.expiresAtMillis(from, header))
        : List.of();
  }

  /**
   * Returns the index tags of a record.
   *
   * @param tags as of {@link TagCodec}; anything else is no tag
   * @param expiresAtMillis 0: never
   */
  public static List<String> of(byte[] tags, long expiresAtMillis) {
    if (tags.length == 0 && expiresAtMillis == 0) {
      return List.of();
    }
    List<String> indexTags = new ArrayList<>();
    if (expiresAtMillis != 0) {
      indexTags.add(ofExpiry(expiresAtMillis));
    }
    for (String tag : TagCodec.decode(tags).orElse(Set.of())) {
      indexTags.add(TAG + tag);
    }
    return indexTags;
  }

  /** Returns the index tag of all records that have this tag. */
  public static String ofUserTag(String tag) {
    // As it is read from a record, where lone surrogates have become question marks.
    return TAG + new String(tag.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** Returns the index tag of all records that expire in the same span. These sort by time. */
  public static String ofExpiry(long expiresAtMillis) {
    return EXPIRY + String.format(Locale.ROOT, "%016x", expiresAtMillis >>> SPAN_BITS);
  }

  /** Returns the first moment of the next span. */
  public static long endOfSpanMillis(long millis) {
    return ((millis >>> SPAN_BITS) + 1) << SPAN_BITS;
  }

  /** The lowest text behind an index tag. */
  public static String behind(String indexTag) {
    return indexTag + '\0';
  }

  /** Returns the last moment of the span of an expiry. */
  static long lastMillis(String expiryTag) {
    long span = Long.parseUnsignedLong(expiryTag, EXPIRY.length(), expiryTag.length(), 16);
    return span << SPAN_BITS | (1 << SPAN_BITS) - 1;
  }

  /** Before all index tags of expiry. */
  public static String firstExpiry() {
    return EXPIRY;
  }

  static boolean isExpiry(String indexTag) {
    return indexTag.startsWith(EXPIRY);
  }

  /** Before all index tags of tags. */
  public static String firstUserTag() {
    return TAG;
  }

  /** Behind all index tags of tags. */
  public static String behindUserTags() {
    return String.valueOf((char) (TAG.charAt(0) + 1));
  }

  /** The tag of such an index tag. */
  public static String userTag(String indexTag) {
    return indexTag.substring(TAG.length());
  }
}
