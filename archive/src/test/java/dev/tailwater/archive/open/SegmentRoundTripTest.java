package dev.tailwater.archive.open;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.header.HeaderFormat;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import dev.tailwater.posix.value.CopyEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SegmentRoundTripTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final int MIB = 1024 * 1024;

  static Stream<Codec> everyLevel() {
    List<Codec> codecs = new ArrayList<>();
    IntStream.rangeClosed(Codec.MIN_ZSTD_LEVEL, Codec.MAX_ZSTD_LEVEL)
        .forEach(level -> codecs.add(new Codec.Zstd(level)));
    IntStream.rangeClosed(Codec.MIN_GZIP_LEVEL, Codec.MAX_GZIP_LEVEL)
        .forEach(level -> codecs.add(new Codec.Gzip(level)));
    codecs.add(new Codec.Store());
    return codecs.stream();
  }

  static Stream<Codec> everyCodec() {
    return Stream.of(new Codec.Zstd(1), new Codec.Gzip(6), new Codec.Store());
  }

  @ParameterizedTest
  @MethodSource("everyLevel")
  void everyLevelGivesTheBytesBackPlainAndEncrypted(Codec codec) throws IOException {
    for (List<Recipient> recipients : List.of(List.<Recipient>of(), List.of(KEYS.recipient()))) {
      for (byte[] raw :
          List.of(new byte[1], Segments.lines(1, 70_000), Segments.random(2, 70_000))) {
        Segments.Sealed sealed = Segments.seal(codec, recipients, 5, raw);
        assertArrayEquals(raw, Segments.open(sealed, KEYS.identity()));
        assertEquals(!recipients.isEmpty(), sealed.name().encrypted());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everyCodec")
  void sizesAroundEveryEdgeComeBack(Codec codec) throws IOException {
    int[] sizes = {
      1, 2, 65535, 65536, 65537, 131071, 131072, 131073, MIB - 1, MIB, MIB + 1, 5 * MIB + 3
    };
    for (int size : sizes) {
      for (byte[] raw :
          List.of(new byte[size], Segments.lines(3, size), Segments.random(4, size))) {
        for (List<Recipient> recipients :
            List.of(List.<Recipient>of(), List.of(KEYS.recipient()))) {
          Segments.Sealed sealed = Segments.seal(codec, recipients, Integer.MAX_VALUE, raw);
          assertArrayEquals(raw, Segments.open(sealed, KEYS.identity()), codec + " " + size);
        }
      }
    }
  }

  /** Raw blocks make the plain text's length predictable, so that every chunk edge is met. */
  @Test
  void encryptionInPlaceIsRightAtEveryLengthAroundTheChunkEdges() throws IOException {
    try (SegmentSealer plain = sealer(List.of());
        SegmentSealer encrypted = sealer(List.of(KEYS.recipient()))) {
      int overhead = Segments.seal(plain, 0, new byte[1]).object().length - 1;
      for (int chunks = 1; chunks <= 3; chunks++) {
        for (int around = -20; around <= 20; around++) {
          byte[] raw = Segments.random(chunks, chunks * 65536 - overhead + around);
          assertArrayEquals(raw, Segments.open(Segments.seal(encrypted, 0, raw), KEYS.identity()));
        }
      }
    }
  }

  private static SegmentSealer sealer(List<Recipient> recipients) {
    return new SegmentSealer(
        new Codec.Store(), recipients, Optional.empty(), new SecureRandom(), StreamingCopy.load());
  }

  @Test
  void storedSegmentsAreTheSameWhateverMovesTheirBytes() {
    List<Segments.Sealed> sealed = new ArrayList<>();
    byte[] raw = Segments.random(6, 3 * MIB + 12_345);
    for (CopyEngine engine : LinuxMemoryCalls.engines()) {
      StreamingCopy copy = StreamingCopy.with(LinuxMemoryCalls.create(engine));
      try (SegmentSealer sealer =
          new SegmentSealer(
              new Codec.Store(), List.of(), Optional.empty(), new SecureRandom(), copy)) {
        sealed.add(Segments.seal(sealer, 0, raw));
      }
    }
    for (Segments.Sealed one : sealed) {
      assertArrayEquals(sealed.getLast().object(), one.object());
    }
  }

  @Test
  void theHeaderSaysWhatWasSealed() throws IOException {
    byte[] raw = Segments.lines(5, 1000);
    Segments.Sealed sealed = Segments.seal(new Codec.Zstd(3), List.of(KEYS.recipient()), 77, raw);
    SegmentHeader header =
        new SegmentOpener()
            .open(
                sealed.name(),
                new ByteArrayInputStream(sealed.object()),
                List.of(KEYS.identity()),
                new ByteArrayOutputStream());
    assertEquals(
        new SegmentHeader(
            1,
            Segments.AGENT,
            Segments.STREAM,
            new ByteRange(77, 1077),
            Segments.PATH,
            Segments.SEALED_MILLIS,
            Segments.MTIME_NANOS,
            Segments.PERMISSIONS,
            HeaderFormat.crc32c(raw, 0, raw.length)),
        header);
    byte[] first = Arrays.copyOf(sealed.object(), Math.min(sealed.object().length, 128 * 1024));
    assertEquals(
        header,
        new SegmentOpener()
            .openHeader(sealed.name(), new ByteArrayInputStream(first), List.of(KEYS.identity())));
  }

  @ParameterizedTest
  @MethodSource("everyCodec")
  void theHeaderOpensFromTheFirstBytesOfALongObject(Codec codec) throws IOException {
    byte[] raw = Segments.random(61, 1_000_000);
    for (List<Recipient> recipients : List.of(List.<Recipient>of(), List.of(KEYS.recipient()))) {
      Segments.Sealed sealed = Segments.seal(codec, recipients, 0, raw);
      int enough = recipients.isEmpty() ? 8 * 1024 : 128 * 1024;
      SegmentHeader header =
          new SegmentOpener()
              .openHeader(
                  sealed.name(),
                  new ByteArrayInputStream(sealed.object(), 0, enough),
                  List.of(KEYS.identity()));
      assertEquals(HeaderFormat.crc32c(raw, 0, raw.length), header.rawCrc32c());
    }
  }

  @ParameterizedTest
  @MethodSource("everyCodec")
  void contentIsComparedByTheFirstBytesWithoutAnyPrivateKey(Codec codec) {
    byte[] raw = Segments.random(6, 100_000);
    int crc = HeaderFormat.crc32c(raw, 0, raw.length);
    Optional<ContentKey> key = Optional.of(Segments.CONTENT_KEY);
    List<Recipient> many = new ArrayList<>();
    for (int i = 0; i < SegmentSealer.MAX_RECIPIENTS; i++) {
      many.add(KeyPair.generate(new SecureRandom()).recipient());
    }
    for (List<Recipient> recipients : List.of(List.<Recipient>of(), many)) {
      Segments.Sealed sealed = Segments.seal(codec, recipients, 0, raw);
      byte[] first = Arrays.copyOf(sealed.object(), 8 * 1024);
      ContentStanza stated = new SegmentOpener().peekContent(sealed.name(), first).orElseThrow();
      assertTrue(stated.matches(Segments.STREAM, crc, key));
      assertFalse(stated.matches(Segments.STREAM, crc + 1, key));
      assertEquals(
          Optional.empty(),
          new SegmentOpener().peekContent(sealed.name(), Arrays.copyOf(first, 30)));
    }
  }

  /** Once, a code of six digits was found in seconds: the checksum was in the clear. */
  @Test
  void theObjectStatesNothingThatConfirmsAGuess() {
    byte[] raw = line(493_027);
    int tried = 0;
    ContentKey other = ContentKey.of(Segments.random(9, ContentKey.KEY_BYTES));
    List<ContentStanza> stated = new ArrayList<>();
    for (ContentKey key : List.of(Segments.CONTENT_KEY, other)) {
      try (SegmentSealer sealer =
          new SegmentSealer(
              new Codec.Zstd(1),
              List.of(KEYS.recipient()),
              Optional.of(key),
              new SecureRandom(),
              StreamingCopy.load())) {
        Segments.Sealed sealed = Segments.seal(sealer, 0, raw);
        String header = new String(sealed.object(), ISO_8859_1);
        tried = tryEveryCode(header.substring(0, header.indexOf("\n--- ")));
        stated.add(new SegmentOpener().peekContent(sealed.name(), sealed.object()).orElseThrow());
      }
    }
    assertNotEquals(stated.getFirst(), stated.getLast());
    assertEquals(1_000_000, tried);
  }

  private static byte[] line(int code) {
    return "2026-11-23 10:00:00 login code for alice: %06d\n".formatted(code).getBytes(US_ASCII);
  }

  /** Looks for the checksum of each possible content in the text of a header. */
  private static int tryEveryCode(String header) {
    Set<String> words = new HashSet<>();
    for (int at = 0; at + 8 <= header.length(); at++) {
      words.add(header.substring(at, at + 8));
    }
    int code = 0;
    for (; code < 1_000_000; code++) {
      byte[] guess = line(code);
      String crc = HexFormat.of().toHexDigits(HeaderFormat.crc32c(guess, 0, guess.length));
      assertFalse(words.contains(crc), header);
    }
    return code;
  }

  @Test
  void anEncryptedSegmentWithoutACheckOpens() throws IOException {
    byte[] raw = Segments.lines(8, 1000);
    try (SegmentSealer sealer = sealer(List.of(KEYS.recipient()))) {
      Segments.Sealed sealed = Segments.seal(sealer, 0, raw);
      assertArrayEquals(raw, Segments.open(sealed, KEYS.identity()));
      assertEquals(
          Optional.empty(), new SegmentOpener().peekContent(sealed.name(), sealed.object()));
    }
  }

  @Test
  void anyOfSeveralRecipientsCanOpen() throws IOException {
    KeyPair other = KeyPair.generate(new SecureRandom());
    KeyPair stranger = KeyPair.generate(new SecureRandom());
    byte[] raw = Segments.lines(7, 10_000);
    Segments.Sealed sealed =
        Segments.seal(new Codec.Zstd(1), List.of(KEYS.recipient(), other.recipient()), 0, raw);
    assertArrayEquals(raw, Segments.open(sealed, KEYS.identity()));
    assertArrayEquals(raw, Segments.open(sealed, stranger.identity(), other.identity()));
    NoIdentityException wrong =
        assertThrows(NoIdentityException.class, () -> Segments.open(sealed, stranger.identity()));
    assertTrue(String.valueOf(wrong.getMessage()).contains("--identity"), wrong.getMessage());
    assertEquals(sealed.key(), wrong.key());
    assertThrows(NoIdentityException.class, () -> Segments.open(sealed));
  }

  @Test
  void roomIsNeverPromisedInVain() throws IOException {
    byte[] raw = Segments.random(8, 3 * MIB);
    for (Codec codec : everyCodec().toList()) {
      try (SegmentSealer sealer =
          new SegmentSealer(
              codec,
              List.of(KEYS.recipient()),
              Optional.empty(),
              new SecureRandom(),
              StreamingCopy.load())) {
        byte[] staging = new byte[MIB];
        sealer.begin(staging, Segments.AGENT, Segments.STREAM, Segments.PREFIX, 0);
        int length = 0;
        for (int next = 1; sealer.hasRoomFor(next); next = next * 3 / 2 + 1) {
          sealer.append(raw, length, next);
          length += next;
        }
        while (sealer.hasRoomFor(1)) {
          sealer.append(raw, length++, 1);
        }
        assertThrows(IllegalStateException.class, () -> sealer.append(raw, 0, 1));
        assertEquals(length, sealer.rawBytes());
        Segments.Sealed sealed =
            Segments.copy(
                sealer.finish(dev.tailwater.posix.PosixPath.of("/" + "p".repeat(4095)), 0, 0, 0));
        assertArrayEquals(Arrays.copyOf(raw, length), Segments.open(sealed, KEYS.identity()));
      }
    }
  }

  @Test
  void oneAppendMayBeLongerThanABlock() throws IOException {
    byte[] raw = Segments.lines(9, 2 * MIB + 7);
    try (SegmentSealer sealer = sealer(List.of())) {
      sealer.begin(
          new byte[sealer.stagingBytesFor(raw.length)],
          Segments.AGENT,
          Segments.STREAM,
          Segments.PREFIX,
          0);
      assertTrue(sealer.hasRoomFor(raw.length));
      sealer.append(raw, 0, raw.length);
      assertFalse(sealer.hasRoomFor(MIB));
      assertArrayEquals(raw, Segments.open(Segments.copy(sealer.finish(Segments.PATH, 0, 0, 0))));
    }
  }

  @Test
  void aSealerRefusesToBeUsedOutOfOrder() {
    try (SegmentSealer sealer = sealer(List.of())) {
      byte[] staging = new byte[sealer.stagingBytesFor(10)];
      assertThrows(IllegalStateException.class, () -> sealer.append(new byte[1], 0, 1));
      assertThrows(IllegalStateException.class, () -> sealer.finish(Segments.PATH, 0, 0, 0));
      sealer.begin(staging, Segments.AGENT, Segments.STREAM, Segments.PREFIX, 0);
      assertThrows(
          IllegalStateException.class,
          () -> sealer.begin(staging, Segments.AGENT, Segments.STREAM, Segments.PREFIX, 0));
      assertThrows(IllegalStateException.class, () -> sealer.finish(Segments.PATH, 0, 0, 0));
      sealer.abandon();
      assertThrows(
          IllegalArgumentException.class,
          () -> sealer.begin(new byte[99], Segments.AGENT, Segments.STREAM, Segments.PREFIX, 0));
    }
  }

  /** How longer segments are made of short ones: the format promises that units can be joined. */
  @ParameterizedTest
  @MethodSource("everyCodec")
  void unitsOfAdjacentSegmentsOpenBehindANewHeader(Codec codec) throws IOException {
    byte[] raw = Segments.lines(10, 300_000);
    boolean gzip = codec instanceof Codec.Gzip;
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    ByteRange range = new ByteRange(0, raw.length);
    object.writeBytes(envelope(range, raw, gzip));
    int step = 70_000;
    for (int at = 0; at < raw.length; at += step) {
      byte[] part = Arrays.copyOfRange(raw, at, Math.min(raw.length, at + step));
      ByteRange partRange = new ByteRange(at, at + part.length);
      byte[] sealed = Segments.seal(codec, List.of(), at, part).object();
      int header = envelope(partRange, part, gzip).length;
      object.write(sealed, header, sealed.length - header);
      if (!gzip) {
        object.writeBytes(HeaderEnvelope.wrap(new byte[9], false));
      }
    }
    String key = ArchiveNames.segment(Segments.PREFIX, range, codec, false);
    assertArrayEquals(raw, Segments.open(new Segments.Sealed(key, object.toByteArray())));
  }

  /** In a drain the codec changes from segment to segment, and what is short is merged later. */
  @Test
  void segmentsOfOneStreamMayBeCompressedDifferentlyAndJoined() throws IOException {
    List<Codec> codecs =
        List.of(new Codec.Zstd(1), new Codec.Store(), new Codec.Zstd(-5), new Codec.Zstd(9));
    byte[] raw = Segments.lines(12, 400_000);
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    try (SegmentSealer sealer = sealer(List.of());
        SegmentComposer composer =
            new SegmentComposer(
                codecs.getFirst(), List.of(), Optional.empty(), new SecureRandom())) {
      ByteRange range = new ByteRange(0, raw.length);
      composer.begin(header(range, raw), Segments.PREFIX, joined::write);
      for (int i = 0; i < codecs.size(); i++) {
        sealer.use(codecs.get(i));
        assertEquals(codecs.get(i), sealer.codec());
        byte[] part = Arrays.copyOfRange(raw, i * 100_000, (i + 1) * 100_000);
        byte[] staging = new byte[sealer.stagingBytesFor(part.length)];
        sealer.begin(staging, Segments.AGENT, Segments.STREAM, Segments.PREFIX, i * 100_000L);
        sealer.append(part, 0, part.length);
        composer.addUnits(sealer.encodedCopy(), part.length);
        Segments.Sealed sealed = Segments.copy(sealer.finish(Segments.PATH, 0, 0, 0));
        assertArrayEquals(part, Segments.open(sealed));
      }
      composer.finish();
      String key = composer.key(Segments.PREFIX, range);
      assertArrayEquals(raw, Segments.open(new Segments.Sealed(key, joined.toByteArray())));
      assertThrows(IllegalArgumentException.class, () -> sealer.use(new Codec.Gzip(1)));
    }
  }

  private static byte[] envelope(ByteRange range, byte[] raw, boolean gzip) {
    return HeaderEnvelope.wrap(HeaderFormat.encode(header(range, raw)), gzip);
  }

  private static SegmentHeader header(ByteRange range, byte[] raw) {
    return new SegmentHeader(
        1,
        Segments.AGENT,
        Segments.STREAM,
        range,
        Segments.PATH,
        0,
        0,
        0,
        HeaderFormat.crc32c(raw, 0, raw.length));
  }
}
