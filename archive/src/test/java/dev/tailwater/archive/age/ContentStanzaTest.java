package dev.tailwater.archive.age;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentStanzaTest {
  private static final StreamId STREAM = new StreamId("9hq8uvlhiuj8l-91cthkk18sn9dib7-0000000");
  private static final ContentKey KEY = ContentKey.of(counting());

  private static byte[] counting() {
    byte[] bytes = new byte[ContentKey.KEY_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static Optional<ContentStanza> parse(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return ContentStanza.of(
        new AgeStanza(words.getFirst(), words.subList(1, words.size()), new byte[0]));
  }

  /**
   * Computed by Python: {@code hmac.new(bytes(range(32)), b"tailwater content check 1" + STREAM +
   * struct.pack(">QQI", start, end, crc), "sha256").hexdigest()[:16]}; the first one by {@code
   * openssl dgst -sha256 -mac HMAC -macopt hexkey:000102...1f}, too.
   */
  @ParameterizedTest
  @CsvSource({
    "4096, 4396, 18aca624, cd69ea6242229f18",
    "0, 1, 00000000, 4625571bed571205",
    "0, 9223372036854775807, ffffffff, 912a00ac98ee9ded"
  })
  void checksAreTheHmacOfStreamRangeAndChecksum(long start, long end, String crc, String check) {
    ContentStanza stanza =
        ContentStanza.Check.of(
            KEY, STREAM, new ByteRange(start, end), Integer.parseUnsignedInt(crc, 16));
    assertEquals(List.of(start + "-" + end, check, "fff1849c"), stanza.toStanza().arguments());
    assertEquals(Optional.of(stanza), ContentStanza.of(stanza.toStanza()));
  }

  @Test
  void aCheckComparesWithItsKeyOnly() {
    ByteRange range = new ByteRange(7, 49);
    ContentStanza stanza = ContentStanza.Check.of(KEY, STREAM, range, 99);
    ContentKey other = ContentKey.of(new byte[ContentKey.KEY_BYTES]);
    assertTrue(stanza.matches(STREAM, 99, Optional.of(KEY)));
    assertFalse(stanza.matches(STREAM, 98, Optional.of(KEY)));
    assertFalse(stanza.matches(STREAM.withEpoch(1), 99, Optional.of(KEY)));
    for (Optional<ContentKey> key : List.of(Optional.of(other), Optional.<ContentKey>empty())) {
      assertFalse(stanza.isComparable(key));
      assertFalse(stanza.matches(STREAM, 99, key));
    }
    assertNotEquals(
        stanza.toStanza().arguments(),
        ContentStanza.Check.of(other, STREAM, range, 99).toStanza().arguments());
  }

  @Test
  void aChecksumOfAnEarlierVersionComparesWithoutAnyKey() {
    ContentStanza stanza = parse("tailwater-v1 4096-4396 18aca624").orElseThrow();
    assertEquals(new ContentStanza.Checksum(new ByteRange(4096, 4396), 0x18aca624), stanza);
    assertTrue(stanza.matches(STREAM, 0x18aca624, Optional.empty()));
    assertFalse(stanza.matches(STREAM, 0x18aca625, Optional.of(KEY)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tailwater-v1 0-1",
        "tailwater-v1 0-1 1234567",
        "tailwater-v1 0-1 1234567G",
        "tailwater-v1 0-1 12345678 12345678",
        "tailwater-v2",
        "tailwater-v2 0-1",
        "tailwater-v2 0-1 0123456789abcdef",
        "tailwater-v2 0-1 0123456789ABCDEF 01234567",
        "tailwater-v2 0-1 0123456789abcde 01234567",
        "tailwater-v2 0-1 0123456789abcdef 0123456",
        "tailwater-v2 0-1 0123456789abcdef 01234567 0",
        "tailwater-v2 00-1 0123456789abcdef 01234567",
        "tailwater-v2 -1 0123456789abcdef 01234567",
        "tailwater-v2 1-0 0123456789abcdef 01234567",
        "tailwater-v2 1 0123456789abcdef 01234567",
        "tailwater-v2 0-99999999999999999999 0123456789abcdef 01234567"
      })
  void stanzasOfAnotherFormAreNotRead(String line) {
    assertEquals(Optional.empty(), parse(line));
  }

  @Test
  void aKeyHasThirtyTwoBytesAndIsNotShown() {
    assertThrows(IllegalArgumentException.class, () -> ContentKey.of(new byte[31]));
    assertThrows(IllegalArgumentException.class, () -> ContentKey.of(new byte[33]));
    assertEquals("content key (secret)", KEY.toString());
  }
}
