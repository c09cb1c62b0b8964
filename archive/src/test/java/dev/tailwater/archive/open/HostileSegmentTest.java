package dev.tailwater.archive.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.age.AgeKeys;
import dev.tailwater.archive.age.AgePayload;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.header.HeaderFormat;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that a sealer did not write are refused with their name, and never cost much memory. */
class HostileSegmentTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final byte[] RAW = Segments.lines(1, 300);

  static Stream<Segments.Sealed> small() {
    return Stream.of(new Codec.Zstd(3), new Codec.Gzip(6), new Codec.Store())
        .flatMap(
            codec ->
                Stream.of(
                    Segments.seal(codec, List.of(), 5, RAW),
                    Segments.seal(codec, List.of(KEYS.recipient()), 5, RAW)));
  }

  private static DamagedSegmentException damaged(Segments.Sealed sealed) {
    DamagedSegmentException damaged =
        assertThrows(DamagedSegmentException.class, () -> Segments.open(sealed, KEYS.identity()));
    assertEquals(sealed.key(), damaged.key());
    assertTrue(String.valueOf(damaged.getMessage()).contains(sealed.key()));
    assertTrue(damaged.offsetBytes() >= 0, damaged::getMessage);
    return damaged;
  }

  @ParameterizedTest
  @MethodSource("small")
  void everyTruncationIsFound(Segments.Sealed sealed) {
    for (int length = 0; length < sealed.object().length; length++) {
      DamagedSegmentException damaged =
          damaged(sealed.with(Arrays.copyOf(sealed.object(), length)));
      assertTrue(damaged.offsetBytes() <= length, damaged::getMessage);
    }
  }

  @ParameterizedTest
  @MethodSource("small")
  void noFlippedBitGivesOtherBytes(Segments.Sealed sealed) throws IOException {
    int harmless = 0;
    // Of an encrypted object one bit in each byte, since every try costs a key agreement.
    int step = sealed.name().encrypted() ? 9 : 1;
    for (int bit = 0; bit < sealed.object().length * 8; bit += step) {
      byte[] object = sealed.object().clone();
      object[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        assertArrayEquals(RAW, Segments.open(sealed.with(object), KEYS.identity()));
        harmless++;
      } catch (ArchiveException refused) {
        assertEquals(sealed.key(), refused.key());
      }
    }
    // A gzip header's time, a zstd reserved bit and the like say nothing; age authenticates all.
    assertTrue(
        harmless <= (sealed.name().encrypted() ? 0 : 160), harmless + " flips were harmless");
  }

  @ParameterizedTest
  @MethodSource("small")
  void whatFollowsTheEndIsRefused(Segments.Sealed sealed) {
    for (int extra : new int[] {1, 7, 100, 70_000}) {
      damaged(sealed.with(Arrays.copyOf(sealed.object(), sealed.object().length + extra)));
    }
  }

  @ParameterizedTest
  @MethodSource("small")
  void randomRubbishIsRefused(Segments.Sealed sealed) {
    Property.holds(
        200,
        random -> {
          byte[] object = sealed.object().clone();
          int from = random.nextInt(object.length);
          for (int at = from; at < Math.min(object.length, from + random.nextInt(40)); at++) {
            object[at] = (byte) random.nextInt(256);
          }
          try {
            assertArrayEquals(RAW, Segments.open(sealed.with(object), KEYS.identity()));
          } catch (ArchiveException refused) {
            assertEquals(sealed.key(), refused.key());
          }
          new SegmentOpener().peekContent(sealed.name(), object);
        });
  }

  @ParameterizedTest
  @MethodSource("small")
  void aHeaderThatDisagreesWithTheNameIsRefused(Segments.Sealed sealed) {
    String key = sealed.key();
    StreamId nextEpoch = Segments.STREAM.withEpoch(1);
    for (String other :
        List.of(
            key.replace("web-1/", "web-2/"),
            key.replace(Segments.STREAM.text(), nextEpoch.text()),
            key.replace("0000000000000000005-", "0000000000000000004-"),
            key.replace("-0000000000000000305", "-0000000000000000304"),
            key.replace("-0000000000000000305", "-0000000000000000306"))) {
      assertFalse(other.equals(key));
      Segments.Sealed renamed = new Segments.Sealed(other, sealed.object());
      DamagedSegmentException damaged = damaged(renamed);
      assertTrue(String.valueOf(damaged.getMessage()).contains("name"), damaged::getMessage);
      Optional<ContentStanza> peeked =
          new SegmentOpener().peekContent(renamed.name(), sealed.object());
      boolean rangeTold = other.contains("0005-") && other.contains("-0000000000000000305");
      assertTrue(peeked.isEmpty() || (sealed.name().encrypted() && rangeTold));
    }
  }

  @ParameterizedTest
  @MethodSource("small")
  void anObjectOfAnotherKindThanItsNameIsRefused(Segments.Sealed sealed) {
    small()
        .filter(other -> !other.key().equals(sealed.key()))
        .forEach(other -> damaged(sealed.with(other.object())));
  }

  /** A plain segment under a name with this many raw bytes. */
  private static Segments.Sealed plain(long rawBytes, byte[] frames) {
    ByteRange range = new ByteRange(0, rawBytes);
    SegmentHeader header =
        new SegmentHeader(1, Segments.AGENT, Segments.STREAM, range, Segments.PATH, 0, 0, 0, 0);
    return withHeader(HeaderFormat.encode(header), range, frames);
  }

  private static Segments.Sealed withHeader(byte[] header, ByteRange range, byte[] frames) {
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    object.writeBytes(HeaderEnvelope.wrap(header, false));
    object.writeBytes(frames);
    return new Segments.Sealed(
        ArchiveNames.segment(Segments.PREFIX, range, new Codec.Zstd(1), false),
        object.toByteArray());
  }

  @Test
  void aBombGivesNoMoreThanTheNameStates() {
    byte[] bomb = Zstd.compress(new byte[50_000_000]);
    Segments.Sealed sealed = plain(10_000, bomb);
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    assertThrows(
        DamagedSegmentException.class,
        () ->
            new SegmentOpener()
                .open(sealed.name(), new ByteArrayInputStream(sealed.object()), List.of(), raw));
    assertTrue(raw.size() <= 10_000);
  }

  @Test
  void claimsOfHugeWindowsAndContentsAreRefused() {
    // Frame header descriptor, then a window of 2 GiB; then a single segment of 2^60 bytes.
    byte[] window = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, (byte) 0xA8, 1, 0, 0};
    byte[] content = {
      0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, (byte) 0xE0, 0, 0, 0, 0, 0, 0, 0, 16, 1, 0, 0
    };
    damaged(plain(10, window));
    damaged(plain(10, content));
    damaged(plain(Long.MAX_VALUE, content));
  }

  @Test
  void aHugeSkippableFrameIsRefusedBeforeAnythingIsAllocated() {
    ByteBuffer frame = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(HeaderEnvelope.SKIPPABLE_MAGIC).putInt(0xFFFFFFF0);
    damaged(plain(1, new byte[0]).with(frame.array()));
    byte[] behind = {0x57, 0x2A, 0x4D, 0x18, (byte) 0xF0, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 1};
    damaged(plain(1, behind));
  }

  @SuppressWarnings("InputStreamSlowMultibyteRead")
  @Test
  void anEndlessAgeHeaderIsGivenUpSoon() {
    String key =
        ArchiveNames.segment(Segments.PREFIX, new ByteRange(0, 1), new Codec.Zstd(1), true);
    ArchiveObject.Segment name = new Segments.Sealed(key, new byte[0]).name();
    for (String endless :
        List.of("a", "-> X \nAA\n", "-> X a\n" + "A".repeat(64) + "\n", "-> X a\n\n")) {
      long[] taken = {0};
      byte[] begin = "age-encryption.org/v1\n".getBytes(StandardCharsets.US_ASCII);
      InputStream object =
          new InputStream() {
            @Override
            public int read() {
              int at = (int) taken[0]++;
              return at < begin.length
                  ? begin[at]
                  : endless.charAt((at - begin.length) % endless.length());
            }
          };
      assertThrows(
          DamagedSegmentException.class,
          () ->
              new SegmentOpener()
                  .open(name, object, List.of(KEYS.identity()), OutputStream.nullOutputStream()));
      assertTrue(taken[0] < 100_000, taken[0] + " bytes were read");
    }
  }

  @Test
  void stanzasWithPointsOfLowOrderOpenNothing() {
    Segments.Sealed sealed = Segments.seal(new Codec.Zstd(1), List.of(KEYS.recipient()), 0, RAW);
    String text = new String(sealed.object(), StandardCharsets.ISO_8859_1);
    int share = text.indexOf("-> X25519 ") + 10;
    String zero = text.substring(0, share) + "A".repeat(43) + text.substring(share + 43);
    assertThrows(
        NoIdentityException.class,
        () ->
            Segments.open(
                sealed.with(zero.getBytes(StandardCharsets.ISO_8859_1)), KEYS.identity()));
  }

  private static byte[] patched(int at, int value, byte[] additions) {
    byte[] header =
        HeaderFormat.encode(
            new SegmentHeader(
                1,
                Segments.AGENT,
                Segments.STREAM,
                new ByteRange(0, RAW.length),
                Segments.PATH,
                0,
                0,
                0,
                HeaderFormat.crc32c(RAW, 0, RAW.length)));
    int crcAt = header.length - HeaderFormat.CRC_BYTES;
    byte[] longer = Arrays.copyOf(header, header.length + additions.length);
    System.arraycopy(additions, 0, longer, crcAt, additions.length);
    ByteBuffer fields = ByteBuffer.wrap(longer).order(ByteOrder.LITTLE_ENDIAN);
    fields.putShort(6, (short) longer.length);
    if (at >= 0) {
      longer[at] = (byte) value;
    }
    int end = longer.length - HeaderFormat.CRC_BYTES;
    fields.putInt(end, HeaderFormat.crc32c(longer, 0, end));
    return longer;
  }

  private static Segments.Sealed withHeader(byte[] header) {
    return withHeader(header, new ByteRange(0, RAW.length), Zstd.compress(RAW));
  }

  @Test
  void newerVersionsAndMandatoryAdditionsAreNamed() throws IOException {
    byte[] none = {};
    assertArrayEquals(RAW, Segments.open(withHeader(patched(-1, 0, none))));
    UnsupportedFormatException newer =
        assertThrows(
            UnsupportedFormatException.class, () -> Segments.open(withHeader(patched(4, 2, none))));
    assertTrue(String.valueOf(newer.getMessage()).contains("version 2"), newer::getMessage);
    byte[] optional = {7, 0, 3, 0, 'a', 'b', 'c'};
    assertArrayEquals(RAW, Segments.open(withHeader(patched(-1, 0, optional))));
    byte[] mandatory = {7, (byte) 0x80, 0, 0};
    assertThrows(
        UnsupportedFormatException.class,
        () -> Segments.open(withHeader(patched(-1, 0, mandatory))));
  }

  @Test
  void ownersThatAreNoneAreRefused() {
    byte[] cutOff = {2, 0, 9, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    byte[] names = {2, 0, 10, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    byte[] id = {2, 0, 10, 0, -1, -1, -1, -1, 1, 0, 0, 0, 0, 0};
    for (byte[] addition : List.of(cutOff, names, id)) {
      damaged(withHeader(patched(-1, 0, addition)));
    }
  }

  @Test
  void anArrivalThatIsCutOffIsRefused() throws IOException {
    damaged(withHeader(patched(-1, 0, new byte[] {3, 0, 7, 0, 1, 2, 3, 4, 5, 6, 7})));
    byte[] more = {3, 0, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    assertArrayEquals(RAW, Segments.open(withHeader(patched(-1, 0, more))));
  }

  @Test
  void headersWithRightChecksumAndWrongContentAreRefused() {
    byte[] none = {};
    damaged(withHeader(patched(0, 'X', none)));
    damaged(withHeader(patched(4, 0, none)));
    damaged(withHeader(patched(6, 1, none)));
    damaged(withHeader(patched(41, 0xff, none)));
    damaged(withHeader(patched(48, 255, none)));
    damaged(withHeader(patched(51, 255, none)));
    damaged(withHeader(patched(HeaderFormat.FIXED_BYTES + 50, 0, none)));
    damaged(withHeader(patched(-1, 0, new byte[] {7, 0, 9, 0, 1})));
    damaged(withHeader(patched(-1, 0, new byte[] {7, 0, 9})));
    damaged(withHeader(patched(44, 1, none)));
  }

  @Test
  void chunksOfAnEncryptedSegmentCannotBeDroppedOrSwapped() {
    byte[] raw = Segments.random(2, 200_000);
    Segments.Sealed sealed = Segments.seal(new Codec.Store(), List.of(KEYS.recipient()), 0, raw);
    byte[] object = sealed.object();
    int chunk = AgePayload.SEALED_CHUNK_BYTES;
    String text = new String(object, StandardCharsets.ISO_8859_1);
    int first = text.indexOf('\n', text.indexOf("\n--- ") + 1) + 1 + AgeKeys.NONCE_BYTES;
    for (int cut = first; cut < object.length; cut += chunk) {
      damaged(sealed.with(Arrays.copyOf(object, cut)));
    }
    byte[] swapped = object.clone();
    System.arraycopy(object, first, swapped, first + chunk, chunk);
    System.arraycopy(object, first + chunk, swapped, first, chunk);
    damaged(sealed.with(swapped));
  }

  @SuppressWarnings("InputStreamSlowMultibyteRead")
  @Test
  void failuresOfTheSourceAndOfTheTargetPassUnchanged() {
    Segments.Sealed sealed = Segments.seal(new Codec.Zstd(1), List.of(), 0, RAW);
    IOException broken = new IOException("connection reset");
    InputStream source =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw broken;
          }
        };
    OutputStream target =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw broken;
          }
        };
    InputStream object = new ByteArrayInputStream(sealed.object());
    SegmentOpener opener = new SegmentOpener();
    assertEquals(
        broken,
        assertThrows(
            IOException.class,
            () -> opener.open(sealed.name(), source, List.of(), OutputStream.nullOutputStream())));
    assertEquals(
        broken,
        assertThrows(
            IOException.class, () -> opener.open(sealed.name(), object, List.of(), target)));
  }
}
