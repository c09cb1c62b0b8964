package dev.tailwater.archive.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.archive.open.Segments;
import dev.tailwater.io.copy.StreamingCopy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is composed of short segments is an ordinary long one. */
class SegmentComposerTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());

  static Stream<Codec> everyCodec() {
    return Stream.of(new Codec.Zstd(1), new Codec.Gzip(6), new Codec.Store());
  }

  private static int crc32c(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  @Test
  void theCombinedChecksumIsThatOfTheBytesTogether() {
    Property.holds(
        300,
        random -> {
          byte[] bytes = new byte[1 + random.nextInt(random.nextBoolean() ? 40 : 300_000)];
          random.nextBytes(bytes);
          int combined = 0;
          int at = 0;
          while (at < bytes.length) {
            int length = Math.min(bytes.length - at, random.nextInt(bytes.length + 1));
            combined = Crc32cCombination.combine(combined, crc32c(bytes, at, length), length);
            at += length;
          }
          assertEquals(crc32c(bytes, 0, bytes.length), combined);
        });
  }

  @Test
  void aChecksumIsCombinedAcrossMoreBytesThanAnIntCounts() {
    CRC32C crc = new CRC32C();
    crc.update('x');
    int first = (int) crc.getValue();
    byte[] zeros = new byte[1 << 20];
    long length = 5L << 30;
    CRC32C rest = new CRC32C();
    for (long done = 0; done < length; done += zeros.length) {
      crc.update(zeros);
      rest.update(zeros);
    }
    assertEquals(
        (int) crc.getValue(), Crc32cCombination.combine(first, (int) rest.getValue(), length));
  }

  /** What a sealer holds of a segment before it is finished. */
  private static byte[] units(Codec codec, byte[] raw, int from, int length) {
    try (SegmentSealer sealer =
        new SegmentSealer(
            codec, List.of(), Optional.empty(), new SecureRandom(), StreamingCopy.load())) {
      byte[] staging = new byte[sealer.stagingBytesFor(length)];
      sealer.begin(staging, Segments.AGENT, Segments.STREAM, Segments.PREFIX, from);
      sealer.append(raw, from, length);
      return sealer.encodedCopy();
    }
  }

  private static SegmentHeader header(ByteRange range, int rawCrc32c) {
    return new SegmentHeader(
        SegmentHeader.VERSION,
        Segments.AGENT,
        Segments.STREAM,
        range,
        Segments.PATH,
        Segments.SEALED_MILLIS,
        Segments.MTIME_NANOS,
        Segments.PERMISSIONS,
        rawCrc32c);
  }

  @ParameterizedTest
  @MethodSource("everyCodec")
  void unitsAndRawBytesBecomeASegmentThatOpens(Codec codec) {
    Property.holds(
        12,
        random -> {
          byte[] raw = Segments.lines(random.nextLong(), 1 + random.nextInt(900_000));
          List<Recipient> recipients = random.nextBoolean() ? List.of(KEYS.recipient()) : List.of();
          long start = random.nextInt(1000);
          try (SegmentComposer composer =
              new SegmentComposer(
                  codec, recipients, Optional.of(Segments.CONTENT_KEY), new SecureRandom())) {
            Segments.Sealed sealed = composed(composer, codec, raw, start, random);
            assertArrayEquals(raw, Segments.open(sealed, KEYS.identity()));
            assertEquals(!recipients.isEmpty(), sealed.name().encrypted());
            assertTrue(
                peeked(sealed)
                    .matches(
                        Segments.STREAM,
                        crc32c(raw, 0, raw.length),
                        Optional.of(Segments.CONTENT_KEY)));
            // And once more with the same composer.
            sealed = composed(composer, codec, raw, start, random);
            assertArrayEquals(raw, Segments.open(sealed, KEYS.identity()));
          }
        });
  }

  private static ContentStanza peeked(Segments.Sealed sealed) {
    byte[] head = Arrays.copyOf(sealed.object(), Math.min(8192, sealed.object().length));
    return new SegmentOpener().peekContent(sealed.name(), head).orElseThrow();
  }

  private static Segments.Sealed composed(
      SegmentComposer composer, Codec codec, byte[] raw, long start, Random random)
      throws IOException {
    ByteRange range = new ByteRange(start, start + raw.length);
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    List<Integer> pieces = new ArrayList<>();
    composer.begin(
        header(range, crc32c(raw, 0, raw.length)),
        Segments.PREFIX,
        (bytes, from, length) -> {
          pieces.add(length);
          object.write(bytes, from, length);
        });
    int at = 0;
    while (at < raw.length) {
      int length = Math.min(raw.length - at, 1 + random.nextInt(300_000));
      if (random.nextBoolean()) {
        composer.addRaw(raw, at, length);
      } else {
        composer.addUnits(units(codec, raw, at, length), length);
      }
      at += length;
    }
    composer.finish();
    for (int i = 1; i < pieces.size() - 1; i++) {
      int length = pieces.get(i);
      assertEquals(true, length >= 64 * 1024, "piece " + i + " of " + length);
    }
    return new Segments.Sealed(composer.key(Segments.PREFIX, range), object.toByteArray());
  }

  @Test
  void isNotFinishedBeforeItHasAllItsBytesAndTakesNoMore() throws IOException {
    try (SegmentComposer composer =
        new SegmentComposer(new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom())) {
      assertThrows(IllegalStateException.class, composer::finish);
      composer.begin(header(new ByteRange(0, 10), 0), Segments.PREFIX, (_, _, _) -> {});
      composer.addRaw(new byte[9], 0, 9);
      assertThrows(IllegalStateException.class, composer::finish);
      assertThrows(IllegalStateException.class, () -> composer.addRaw(new byte[2], 0, 2));
      composer.addRaw(new byte[1], 0, 1);
      composer.finish();
    }
  }
}
