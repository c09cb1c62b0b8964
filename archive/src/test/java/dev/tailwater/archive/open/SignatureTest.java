package dev.tailwater.archive.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.HeaderFormat;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.archive.seal.SegmentComposer;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Segments and packs with signatures: what is trusted opens, and nothing else does. */
class SignatureTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final List<Identity> IDENTITIES = List.of(KEYS.identity());
  private static final SigningKey KEY = SigningKey.generate(new SecureRandom());
  private static final SigningKey OTHER = SigningKey.generate(new SecureRandom());
  private static final Trust TRUST = Trust.of(KEY.publicKey());

  private static ObjectSigner signer(SigningKey key) {
    return new ObjectSigner(key, () -> Segments.SEALED_MILLIS);
  }

  private static Codec codec(Random random) {
    return List.of(new Codec.Zstd(1), new Codec.Gzip(6), new Codec.Store()).get(random.nextInt(3));
  }

  private static List<Recipient> recipients(Random random) {
    return random.nextBoolean() ? List.of(KEYS.recipient()) : List.of();
  }

  private static byte[] open(Trust trust, Segments.Sealed sealed) throws IOException {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    new SegmentOpener(trust)
        .open(sealed.name(), new ByteArrayInputStream(sealed.object()), IDENTITIES, raw);
    return raw.toByteArray();
  }

  private static SegmentHeader header(Segments.Sealed sealed) throws IOException {
    byte[] object = sealed.object();
    int tail = Math.min(object.length, FrameSignature.segmentBytes(sealed.name().gzip()));
    return new SegmentOpener(TRUST)
        .openHeader(
            sealed.name(),
            new ByteArrayInputStream(object),
            IDENTITIES,
            Arrays.copyOfRange(object, object.length - tail, object.length));
  }

  @Test
  void aSignedSegmentOpensWithAndWithoutTrust() {
    Property.holds(
        60,
        random -> {
          byte[] raw = Segments.lines(random.nextLong(), 1 + random.nextInt(300_000));
          Segments.Sealed sealed =
              random.nextBoolean()
                  ? Segments.sealSigned(codec(random), recipients(random), 7, raw, signer(KEY))
                  : composed(codec(random), recipients(random), raw, signer(KEY));
          assertArrayEquals(raw, open(TRUST, sealed));
          assertArrayEquals(raw, open(Trust.none(), sealed));
          assertEquals(HeaderFormat.crc32c(raw, 0, raw.length), header(sealed).rawCrc32c());
        });
  }

  private static Segments.Sealed composed(
      Codec codec, List<Recipient> recipients, byte[] raw, ObjectSigner signer) throws IOException {
    ByteRange range = new ByteRange(7, 7 + raw.length);
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    try (SegmentComposer composer =
        new SegmentComposer(
            codec,
            recipients,
            Optional.of(Segments.CONTENT_KEY),
            new SecureRandom(),
            Optional.of(signer))) {
      SegmentHeader header =
          new SegmentHeader(
              1,
              Segments.AGENT,
              Segments.STREAM,
              range,
              Segments.PATH,
              Segments.SEALED_MILLIS,
              Segments.MTIME_NANOS,
              Segments.PERMISSIONS,
              HeaderFormat.crc32c(raw, 0, raw.length));
      composer.begin(header, Segments.PREFIX, object::write);
      composer.addRaw(raw, 0, raw.length / 2 + 1);
      if (raw.length / 2 + 1 < raw.length) {
        composer.addRaw(raw, raw.length / 2 + 1, raw.length - raw.length / 2 - 1);
      }
      composer.finish();
      return new Segments.Sealed(composer.key(Segments.PREFIX, range), object.toByteArray());
    }
  }

  @Test
  void aSegmentThatIsUnsignedOrSignedByAnotherIsRefused() {
    Property.holds(
        20,
        random -> {
          byte[] raw = Segments.lines(random.nextLong(), 1 + random.nextInt(30_000));
          Codec codec = codec(random);
          List<Recipient> to = recipients(random);
          Segments.Sealed unsigned = Segments.seal(codec, to, 0, raw);
          assertTrue(
              assertThrows(NotAuthenticException.class, () -> open(TRUST, unsigned)).isUnsigned());
          assertThrows(NotAuthenticException.class, () -> header(unsigned));
          Segments.Sealed forged = Segments.sealSigned(codec, to, 0, raw, signer(OTHER));
          assertFalse(
              assertThrows(NotAuthenticException.class, () -> open(TRUST, forged)).isUnsigned());
          assertThrows(NotAuthenticException.class, () -> header(forged));
        });
  }

  @Test
  void aChangedByteIsFound() {
    Property.holds(
        60,
        random -> {
          byte[] raw = Segments.lines(random.nextLong(), 1 + random.nextInt(2000));
          Segments.Sealed sealed =
              Segments.sealSigned(codec(random), recipients(random), 0, raw, signer(KEY));
          byte[] changed = sealed.object().clone();
          changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
          assertThrows(ArchiveException.class, () -> open(TRUST, sealed.with(changed)));
        });
  }

  @Test
  void aSegmentIsRefusedUnderAnotherPathOfTheSameStream() throws IOException {
    byte[] raw = Segments.lines(1, 1000);
    String elsewhere = Segments.PREFIX.replace("access.log", "error.log");
    for (List<Recipient> to : List.of(List.<Recipient>of(), List.of(KEYS.recipient()))) {
      Segments.Sealed sealed = Segments.sealSigned(new Codec.Zstd(1), to, 0, raw, signer(KEY));
      Segments.Sealed moved =
          new Segments.Sealed(sealed.key().replace(Segments.PREFIX, elsewhere), sealed.object());
      assertArrayEquals(raw, open(Trust.none(), moved));
      assertThrows(NotAuthenticException.class, () -> open(TRUST, moved));
    }
  }

  @Test
  void keysCountForTheAgentsThatTheyAreGivenFor() throws IOException {
    byte[] raw = Segments.lines(1, 1000);
    Segments.Sealed sealed = Segments.sealSigned(new Codec.Zstd(1), List.of(), 0, raw, signer(KEY));
    String key = KEY.publicKey().text();
    String other = OTHER.publicKey().text();
    String two = "# the keys\n\nweb-1 " + other + "\nweb-1\t" + key + "\n";
    assertArrayEquals(raw, open(Trust.parse("keys", two), sealed));
    Trust ofAnother = Trust.parse("keys", "web-2 " + key);
    assertThrows(NotAuthenticException.class, () -> open(ofAnother, sealed));
    Trust ofCompactor = Trust.parse("keys", "web-1 " + other + "\ncompactor night " + key);
    assertThrows(NotAuthenticException.class, () -> open(ofCompactor, sealed));
  }

  @Test
  void malformedKeyFilesAreNamedByLine() {
    String key = KEY.publicKey().text();
    for (String wrong : List.of("web-1 " + key + "x", "web-1", key, "a b c", "other NAME " + key)) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> Trust.parse("keys", "# first\n" + wrong));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith("keys, line 2: "), message);
    }
    assertThrows(IllegalArgumentException.class, () -> Trust.parse("keys", "# none\n"));
  }

  @Test
  void aSigningKeyComesBackFromItsFileAndNeverShows() {
    SigningKey read = SigningKey.parse(KEY.toFileText());
    assertEquals(KEY.publicKey(), read.publicKey());
    String secret = KEY.toFileText().lines().toList().get(1);
    assertFalse(KEY.toString().contains(secret.substring(20, 40)));
    SigningKey another = SigningKey.generate(new SecureRandom());
    String mixed =
        secret.substring(0, 50) + another.toFileText().lines().toList().get(1).substring(50);
    for (String wrong : List.of("", "x", secret + "\n" + secret, secret.substring(0, 60), mixed)) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> SigningKey.parse(wrong));
      assertFalse(String.valueOf(e.getMessage()).contains(secret.substring(20, 40)));
    }
  }

  // Packs

  private static final PackGroup GROUP = new PackGroup("9hq8uvlhiuj8l-0fk3v9a1");

  private record Packed(PackName name, @SuppressWarnings("ArrayRecordComponent") byte[] object) {
    OpenedPack open(Trust trust) throws IOException {
      byte[] front = Arrays.copyOf(object, Math.min(object.length, PackOpener.wantedBytes(name)));
      return new PackOpener(trust).open(name, new ByteArrayInputStream(front), IDENTITIES);
    }

    /** Reads all ranges, each with only the bytes that it needs. */
    int readAll(Trust trust) throws IOException {
      OpenedPack opened = open(trust);
      assertEquals(object.length, opened.objectBytes());
      int bytes = 0;
      for (int range = 0; range < opened.directory().ranges().size(); range++) {
        PackSlice slice = opened.slice(range, range + 1);
        ByteRange at = slice.objectRange();
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        slice.read(
            new ByteArrayInputStream(object, (int) at.startBytes(), (int) at.lengthBytes()),
            new PackSlice.Sink() {
              @Override
              public void begin(PackedRange begun) {}

              @Override
              public void accept(byte[] part, int lengthBytes) {
                raw.write(part, 0, lengthBytes);
              }

              @Override
              public void end(PackedRange ended) {}
            });
        bytes += raw.size();
      }
      return bytes;
    }
  }

  private static Packed pack(Random random, PackId id, Optional<ObjectSigner> signer) {
    Codec codec = random.nextBoolean() ? new Codec.Zstd(1) : new Codec.Store();
    try (PackSealer sealer =
        new PackSealer(
            codec,
            recipients(random),
            Optional.of(Segments.CONTENT_KEY),
            new SecureRandom(),
            signer)) {
      sealer.begin(new byte[16 << 20], id, 1 << 20);
      for (int number = 0; number < 1 + random.nextInt(20); number++) {
        sealer.describe(
            new PackedStream(
                number, Segments.STREAM.withEpoch(number), Segments.PATH, Segments.PATH, 0640));
        int length = 1 + random.nextInt(random.nextInt(8) == 0 ? 1_200_000 : 4000);
        byte[] content = Segments.lines(random.nextLong(), length);
        sealer.beginRange(number, 0, length);
        sealer.append(content, 0, length);
        sealer.endRange(77);
      }
      SealedPack pack = sealer.finish(Segments.SEALED_MILLIS);
      return new Packed(
          pack.name(),
          Arrays.copyOfRange(pack.staging(), pack.from(), pack.from() + pack.lengthBytes()));
    }
  }

  @Test
  void everyRangeOfASignedPackIsCheckedAlone() {
    Property.holds(
        30,
        random -> {
          Packed packed =
              pack(random, new PackId(Segments.AGENT, GROUP, 3), Optional.of(signer(KEY)));
          assertEquals(packed.readAll(Trust.none()), packed.readAll(TRUST));
          byte[] changed = packed.object().clone();
          changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
          Packed altered = new Packed(packed.name(), changed);
          assertThrows(ArchiveException.class, () -> altered.readAll(TRUST));
        });
  }

  @Test
  void aPackThatIsUnsignedOrSignedByAnotherIsRefused() {
    Property.holds(
        10,
        random -> {
          PackId id = new PackId(Segments.AGENT, GROUP, 3);
          Packed unsigned = pack(random, id, Optional.empty());
          assertTrue(
              assertThrows(NotAuthenticException.class, () -> unsigned.open(TRUST)).isUnsigned());
          Packed forged = pack(random, id, Optional.of(signer(OTHER)));
          assertThrows(NotAuthenticException.class, () -> forged.open(TRUST));
        });
  }

  @Test
  void aCompactorMaySignMergedPacksOnly() throws IOException {
    Trust trust =
        Trust.parse(
            "keys",
            "web-1 " + KEY.publicKey().text() + "\ncompactor night " + OTHER.publicKey().text());
    Random random = new Random(1);
    Packed merged =
        pack(random, new PackId(Segments.AGENT, GROUP, 3, 5), Optional.of(signer(OTHER)));
    assertTrue(merged.readAll(trust) > 0);
    Packed single = pack(random, new PackId(Segments.AGENT, GROUP, 3), Optional.of(signer(OTHER)));
    assertThrows(NotAuthenticException.class, () -> single.open(trust));
  }
}
