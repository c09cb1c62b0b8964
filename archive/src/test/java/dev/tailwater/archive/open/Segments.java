package dev.tailwater.archive.open;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** Seals and opens with fixed names, and makes raw bytes of several kinds. */
public final class Segments {
  public static final String AGENT = "web-1";
  public static final PosixPath PATH = PosixPath.of("/var/log/app/access.log");
  public static final StreamId STREAM =
      StreamId.of(
          AGENT,
          new FileIdentity(
              0x1234, 567, OptionalLong.of(89), OptionalLong.of(1_795_000_000_123_456_789L)),
          0);
  public static final String PREFIX = ArchiveNames.streamPrefix(AGENT, PATH, STREAM);
  public static final long MTIME_NANOS = 1_795_000_001_987_654_321L;
  public static final long SEALED_MILLIS = 1_795_000_002_000L;
  public static final int PERMISSIONS = 0640;

  /** The key of the checks that encrypted segments state. */
  public static final ContentKey CONTENT_KEY = ContentKey.of(new byte[ContentKey.KEY_BYTES]);

  private Segments() {}

  /** An object's key and bytes. */
  public record Sealed(String key, @SuppressWarnings("ArrayRecordComponent") byte[] object) {
    public ArchiveObject.Segment name() {
      return (ArchiveObject.Segment) ArchiveNames.parse(key).orElseThrow();
    }

    Sealed with(byte[] other) {
      return new Sealed(key, other);
    }
  }

  static Sealed seal(Codec codec, List<Recipient> recipients, long startBytes, byte[] raw) {
    try (SegmentSealer sealer =
        new SegmentSealer(
            codec,
            recipients,
            Optional.of(CONTENT_KEY),
            new SecureRandom(),
            StreamingCopy.load())) {
      return seal(sealer, startBytes, raw);
    }
  }

  static Sealed sealSigned(
      Codec codec, List<Recipient> recipients, long startBytes, byte[] raw, ObjectSigner signer) {
    try (SegmentSealer sealer =
        new SegmentSealer(
            codec,
            recipients,
            Optional.of(CONTENT_KEY),
            new SecureRandom(),
            StreamingCopy.load(),
            Optional.of(signer))) {
      return seal(sealer, startBytes, raw);
    }
  }

  static Sealed seal(SegmentSealer sealer, long startBytes, byte[] raw) {
    byte[] staging = new byte[sealer.stagingBytesFor(raw.length)];
    sealer.begin(staging, AGENT, STREAM, PREFIX, startBytes);
    for (int at = 0; at < raw.length; at += sealer.blockBytes()) {
      sealer.append(raw, at, Math.min(sealer.blockBytes(), raw.length - at));
    }
    return copy(sealer.finish(PATH, MTIME_NANOS, PERMISSIONS, SEALED_MILLIS));
  }

  static Sealed copy(SealedSegment segment) {
    return new Sealed(
        segment.key(),
        Arrays.copyOfRange(
            segment.staging(), segment.from(), segment.from() + segment.lengthBytes()));
  }

  public static byte[] open(Sealed sealed, Identity... identities) throws IOException {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    new SegmentOpener()
        .open(sealed.name(), new ByteArrayInputStream(sealed.object()), List.of(identities), raw);
    return raw.toByteArray();
  }

  static byte[] random(long seed, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Lines as an access log has them: compress about five to one. */
  public static byte[] lines(long seed, int lengthBytes) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(lengthBytes + 100);
    while (text.length() < lengthBytes) {
      text.append("10.0.").append(random.nextInt(256)).append('.').append(random.nextInt(256));
      text.append(" - - \"GET /items/").append(random.nextInt(100_000));
      text.append(" HTTP/1.1\" 200 ").append(random.nextInt(10_000)).append('\n');
    }
    return Arrays.copyOf(
        text.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII), lengthBytes);
  }
}
