package dev.tailwater.archive.sign;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The signature of an object that is not encrypted, in a skippable zstd frame or an empty gzip
 * member, which the standard tools skip:
 *
 * <pre>
 *  0  4  "TWSG"                                       20 64  signature
 *  4  2  version                                      84 32  digest of the bytes that follow the
 *  6  2  how many digests                                    first frame, or of each unit
 *  8  4  the first bytes of the public key             …
 * 12  8  signed at, milliseconds since 1970
 * </pre>
 *
 * @param digests SHA-256 of what follows the first frame: of all of it, or of each unit of a pack
 */
public record FrameSignature(ObjectSignature signature, List<byte[]> digests) {
  private static final int MAGIC = 0x47535754; // "TWSG"
  private static final int VERSION = 1;
  private static final int FIXED_BYTES = 84;
  private static final int ID_BYTES = 4;

  private static final int SKIPPABLE_MAGIC = 0x184D2A57;
  private static final int SKIPPABLE_PREFIX_BYTES = 8;
  private static final byte[] GZIP_PREFIX = {
    0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 0xff, 0, 0, 'T', 'S', 0, 0
  };
  private static final byte[] GZIP_SUFFIX = {3, 0, 0, 0, 0, 0, 0, 0, 0, 0};

  /** The most units of a pack; the length of the field is two bytes. */
  public static final int MAX_DIGESTS = 0xffff;

  /** The longest signature of a segment. */
  public static final int MAX_SEGMENT_BYTES =
      GZIP_PREFIX.length + FIXED_BYTES + Statement.DIGEST_BYTES + GZIP_SUFFIX.length;

  public FrameSignature {
    digests = List.copyOf(digests);
  }

  /** Returns how long the frame at the end of a segment is. */
  public static int segmentBytes(boolean gzip) {
    return gzip ? MAX_SEGMENT_BYTES : frameBytes(1);
  }

  /** Returns how long the frame is in a pack with this many units. */
  public static int frameBytes(int digests) {
    return SKIPPABLE_PREFIX_BYTES + FIXED_BYTES + digests * Statement.DIGEST_BYTES;
  }

  /**
   * Signs an object.
   *
   * @param first its first frame or member
   * @param digests the digests of what follows
   */
  public static FrameSignature sign(
      String subject, byte[] first, List<byte[]> digests, ObjectSigner signer) {
    return new FrameSignature(signer.sign(statement(subject, first, digests)), digests);
  }

  /** Returns what the signature must say of an object with this first frame. */
  public Statement statement(String subject, byte[] first) {
    return statement(subject, first, digests);
  }

  private static Statement statement(String subject, byte[] first, List<byte[]> digests) {
    MessageDigest digest = Statement.newDigest();
    digest.update(first);
    digests.forEach(digest::update);
    return new Statement(subject, Statement.Form.FRAMES, digest.digest());
  }

  /** Returns the frame or member. */
  public byte[] encode(boolean gzip) {
    ByteBuffer content =
        ByteBuffer.allocate(FIXED_BYTES + digests.size() * Statement.DIGEST_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    content.putInt(MAGIC).putShort((short) VERSION).putShort((short) digests.size());
    content.put(HexFormat.of().parseHex(signature.keyId())).putLong(signature.atMillis());
    content.put(signature.bytes());
    digests.forEach(content::put);
    byte[] bytes = content.array();
    if (!gzip) {
      ByteBuffer frame =
          ByteBuffer.allocate(SKIPPABLE_PREFIX_BYTES + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
      return frame.putInt(SKIPPABLE_MAGIC).putInt(bytes.length).put(bytes).array();
    }
    ByteBuffer member =
        ByteBuffer.allocate(GZIP_PREFIX.length + bytes.length + GZIP_SUFFIX.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    member.put(GZIP_PREFIX).put(bytes).put(GZIP_SUFFIX);
    member.putShort(10, (short) (bytes.length + 4)).putShort(14, (short) bytes.length);
    return member.array();
  }

  /**
   * Returns the signature that a whole frame or member holds; empty if it is none.
   *
   * @param bytes exactly the frame or member
   */
  public static Optional<FrameSignature> decode(byte[] bytes, boolean gzip) {
    Optional<FrameSignature> found = gzip ? ofMember(bytes) : ofFrame(bytes);
    // Whatever else the bytes say, they are what the signature of these values is written as.
    return found.filter(signature -> Arrays.equals(signature.encode(gzip), bytes));
  }

  private static Optional<FrameSignature> ofFrame(byte[] bytes) {
    return bytes.length < SKIPPABLE_PREFIX_BYTES
        ? Optional.empty()
        : ofContent(Arrays.copyOfRange(bytes, SKIPPABLE_PREFIX_BYTES, bytes.length));
  }

  private static Optional<FrameSignature> ofMember(byte[] bytes) {
    int end = bytes.length - GZIP_SUFFIX.length;
    return end < GZIP_PREFIX.length
        ? Optional.empty()
        : ofContent(Arrays.copyOfRange(bytes, GZIP_PREFIX.length, end));
  }

  private static Optional<FrameSignature> ofContent(byte[] bytes) {
    if (bytes.length < FIXED_BYTES) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int magic = in.getInt();
    int version = Short.toUnsignedInt(in.getShort());
    int count = Short.toUnsignedInt(in.getShort());
    if (magic != MAGIC
        || version != VERSION
        || bytes.length != FIXED_BYTES + count * Statement.DIGEST_BYTES) {
      return Optional.empty();
    }
    String keyId = HexFormat.of().formatHex(take(in, ID_BYTES));
    long atMillis = in.getLong();
    byte[] signature = take(in, ObjectSignature.SIGNATURE_BYTES);
    List<byte[]> digests = new ArrayList<>();
    while (digests.size() < count) {
      digests.add(take(in, Statement.DIGEST_BYTES));
    }
    return Optional.of(
        new FrameSignature(new ObjectSignature(keyId, atMillis, signature), digests));
  }

  private static byte[] take(ByteBuffer in, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    in.get(bytes);
    return bytes;
  }
}
