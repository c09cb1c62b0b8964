package dev.tailwater.archive.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.age.AgeEncryption;
import dev.tailwater.archive.age.AgePayload;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.header.HeaderFormat;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.AgentName;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.Statement;
import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.PosixPath;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A sealer that compresses and encrypts bytes into segments. Bytes go from the reader's array
 * through the codec straight into the staging array and are encrypted there in place; there are no
 * other copies.
 *
 * <pre>
 * staging: [room][age header, nonce][room][segment header][unit][unit]…[signature][free]
 *                                  └ moves up to the segment header when its length is known
 * </pre>
 *
 * One segment at a time: {@link #begin}, {@link #append} while there is {@link #hasRoomFor room},
 * then {@link #finish} or {@link #abandon}. Reusable, but not thread-safe: use one sealer per
 * thread. {@link #close} frees native memory.
 */
public final class SegmentSealer implements AutoCloseable {
  /** The maximum number of recipients, which limits the length of the header. */
  public static final int MAX_RECIPIENTS = 64;

  private static final int BLOCK_BYTES = 1024 * 1024;
  private static final int MAX_ENVELOPE_BYTES =
      HeaderEnvelope.MAX_OVERHEAD_BYTES
          + HeaderFormat.FIXED_BYTES
          + 64
          + StreamId.LENGTH_CHARACTERS
          + SegmentHeader.MAX_PATH_BYTES
          + HeaderFormat.MAX_FILE_ADDITION_BYTES
          + HeaderFormat.CRC_BYTES;

  private final BlockEncoder.ByteCopy copy;
  private final @Nullable AgeEncryption age;
  private final Optional<ContentKey> contentKey;
  private final Optional<ObjectSigner> signer;
  private final CRC32C crc = new CRC32C();
  private Codec codec;
  private BlockEncoder encoder;
  private @Nullable Open open;

  /** The segment in progress; {@code end} is the index of the next unit. */
  private static final class Open {
    final byte[] staging;
    final String agent;
    final StreamId stream;
    final String streamPrefix;
    final long startBytes;
    final int dataFrom;
    int end;
    long rawBytes;

    /** The checksum of the bytes before those that {@link SegmentSealer#crc} covers. */
    int crcBefore;

    long crcBytes;

    Open(
        byte[] staging,
        String agent,
        StreamId stream,
        String streamPrefix,
        long startBytes,
        int dataFrom) {
      this.staging = staging;
      this.agent = agent;
      this.stream = stream;
      this.streamPrefix = streamPrefix;
      this.startBytes = startBytes;
      this.dataFrom = dataFrom;
      this.end = dataFrom;
    }
  }

  /** Creates a sealer that does not sign; see the other constructor. */
  public SegmentSealer(
      Codec codec,
      List<Recipient> recipients,
      Optional<ContentKey> contentKey,
      SecureRandom random,
      StreamingCopy streamingCopy) {
    this(codec, recipients, contentKey, random, streamingCopy, Optional.empty());
  }

  /**
   * Creates a sealer.
   *
   * @param recipients the keys to encrypt to, at most {@value #MAX_RECIPIENTS}; empty for no
   *     encryption
   * @param contentKey the key of the check that an encrypted segment states; empty for no check
   * @param random the source of file keys and nonces
   * @param streamingCopy copies bytes that are neither compressed nor encrypted into staging
   * @param signer signs the segments; empty for no signature
   */
  public SegmentSealer(
      Codec codec,
      List<Recipient> recipients,
      Optional<ContentKey> contentKey,
      SecureRandom random,
      StreamingCopy streamingCopy,
      Optional<ObjectSigner> signer) {
    if (recipients.size() > MAX_RECIPIENTS) {
      throw new IllegalArgumentException(
          recipients.size() + " recipients; at most " + MAX_RECIPIENTS + " are possible");
    }
    this.codec = codec;
    this.age = recipients.isEmpty() ? null : new AgeEncryption(recipients, random);
    this.contentKey = contentKey;
    this.signer = signer;
    // Encryption reads the bytes again at once, so they should stay in the cache.
    this.copy = recipients.isEmpty() ? streamingCopy::copy : System::arraycopy;
    this.encoder = BlockEncoders.create(codec, copy);
  }

  /**
   * Changes the codec for the next segments.
   *
   * @param next a codec of the same file format, so that all segments of a stream have the same
   *     suffix
   */
  public void use(Codec next) {
    if (open != null) {
      throw new IllegalStateException("a segment is open: " + open.streamPrefix);
    }
    if (!next.suffix().equals(codec.suffix())) {
      throw new IllegalArgumentException(codec + " cannot become " + next + " within an archive");
    }
    if (!next.equals(codec)) {
      encoder.close();
      encoder = BlockEncoders.create(next, copy);
      codec = next;
    }
  }

  /** Returns the current codec. */
  public Codec codec() {
    return codec;
  }

  /** Returns the best size for one {@link #append}, which splits more into blocks of this size. */
  public int blockBytes() {
    return BLOCK_BYTES;
  }

  /**
   * Returns the length of a staging array that always has room for this many raw bytes, if they are
   * appended in whole blocks of {@link #blockBytes}, except for the last. Throws {@link
   * IllegalArgumentException} if the length exceeds 2 GiB.
   */
  public int stagingBytesFor(long rawBytes) {
    long data = MAX_ENVELOPE_BYTES + maxEncodedBytes(rawBytes) + signatureBytes();
    if (age != null) {
      data += age.maxFrontBytes();
      // One chunk more than needed, because begin() counts the tags as part of the array.
      long chunks = Math.ceilDiv(data, AgePayload.CHUNK_BYTES - AgePayload.TAG_BYTES) + 1;
      data += chunks * AgePayload.TAG_BYTES;
    }
    if (data > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(rawBytes + " raw bytes do not fit one staging array");
    }
    return (int) data;
  }

  /** Returns how much of a staging array is kept for a signature behind the units. */
  private int signatureBytes() {
    // An encrypted segment is signed in its age header.
    return age == null && signer.isPresent()
        ? FrameSignature.segmentBytes(codec instanceof Codec.Gzip)
        : 0;
  }

  private long maxEncodedBytes(long rawBytes) {
    long blocks = rawBytes / BLOCK_BYTES;
    int rest = (int) (rawBytes % BLOCK_BYTES);
    return blocks * encoder.maxEncodedBytes(BLOCK_BYTES)
        + (rest == 0 ? 0 : encoder.maxEncodedBytes(rest));
  }

  /**
   * Begins a segment of {@code stream} at {@code startBytes}.
   *
   * @param staging the array for the segment; belongs to the sealer until {@link #finish} or {@link
   *     #abandon}
   * @param streamPrefix the result of {@link ArchiveNames#streamPrefix}
   */
  public void begin(
      byte[] staging, String agent, StreamId stream, String streamPrefix, long startBytes) {
    if (open != null) {
      throw new IllegalStateException("a segment is open already: " + open.streamPrefix);
    }
    if (startBytes < 0) {
      throw new IllegalArgumentException("a segment cannot begin at " + startBytes);
    }
    AgentName.require(agent);
    int front = MAX_ENVELOPE_BYTES;
    if (age != null) {
      front += age.maxFrontBytes();
      front += AgePayload.overheadBytes(staging.length);
    }
    if (front + signatureBytes() >= staging.length) {
      throw new IllegalArgumentException(
          "a staging array of " + staging.length + " bytes is too short even for the headers");
    }
    crc.reset();
    open = new Open(staging, agent, stream, streamPrefix, startBytes, front);
  }

  /** Returns whether this many raw bytes can be appended, however badly they compress. */
  public boolean hasRoomFor(int rawBytes) {
    Open segment = requireOpen();
    return segment.end + maxEncodedBytes(rawBytes) + signatureBytes() <= segment.staging.length;
  }

  /**
   * Compresses the next bytes of the stream into one unit per {@link #blockBytes}.
   *
   * @throws IllegalStateException if there is no {@link #hasRoomFor room}; nothing was appended
   */
  public void append(byte[] raw, int from, int lengthBytes) {
    Open segment = requireOpen();
    Objects.checkFromIndexSize(from, lengthBytes, raw.length);
    if (lengthBytes == 0) {
      return;
    }
    if (!hasRoomFor(lengthBytes)) {
      throw new IllegalStateException(
          "no room for " + lengthBytes + " more bytes in staging; ask hasRoomFor first");
    }
    Math.addExact(segment.startBytes, segment.rawBytes + lengthBytes);
    for (int done = 0; done < lengthBytes; done += BLOCK_BYTES) {
      int block = Math.min(BLOCK_BYTES, lengthBytes - done);
      segment.end += encoder.encode(raw, from + done, block, segment.staging, segment.end);
    }
    count(segment, raw, from, lengthBytes);
  }

  private void count(Open segment, byte[] raw, int from, int lengthBytes) {
    crc.update(raw, from, lengthBytes);
    segment.crcBytes += lengthBytes;
    segment.rawBytes += lengthBytes;
  }

  /** Returns the length of an array that has room for the unit of any block. */
  public int maxUnitBytes() {
    return encoder.maxEncodedBytes(BLOCK_BYTES);
  }

  /**
   * Compresses a block into a unit beside the open segment, if there is one. {@link #appendUnit}
   * appends it, of this sealer or of another one that uses the same codec.
   *
   * @param lengthBytes at most {@link #blockBytes}
   * @param unit at least {@link #maxUnitBytes} long
   * @return the length of the unit
   */
  public int encodeUnit(byte[] raw, int from, int lengthBytes, byte[] unit) {
    if (lengthBytes < 1 || lengthBytes > BLOCK_BYTES) {
      throw new IllegalArgumentException(lengthBytes + " bytes are not one block");
    }
    return encoder.encode(raw, from, lengthBytes, unit, 0);
  }

  /**
   * Appends the next bytes of the stream, which are compressed already.
   *
   * @param unit the result of {@link #encodeUnit} for these bytes
   * @throws IllegalStateException if there is no room; nothing was appended
   */
  public void appendUnit(byte[] raw, int from, int lengthBytes, byte[] unit, int unitBytes) {
    Open segment = requireOpen();
    Objects.checkFromIndexSize(from, lengthBytes, raw.length);
    Objects.checkFromIndexSize(0, unitBytes, unit.length);
    if (unitBytes > segment.staging.length - segment.end) {
      throw new IllegalStateException("no room for a unit of " + unitBytes + " bytes in staging");
    }
    Math.addExact(segment.startBytes, segment.rawBytes + lengthBytes);
    System.arraycopy(unit, 0, segment.staging, segment.end, unitBytes);
    segment.end += unitBytes;
    count(segment, raw, from, lengthBytes);
  }

  /** Returns the number of zeros that can be appended. */
  public long zerosFitting() {
    Open segment = requireOpen();
    return encoder.zerosFitting(segment.staging.length - signatureBytes() - segment.end);
  }

  /**
   * Appends zeros, which takes almost no time and at most a thousandth of their length.
   *
   * @param zeros the number of zeros, at least one
   * @throws IllegalStateException if there are more than {@link #zerosFitting}; nothing was
   *     appended
   */
  public void appendZeros(long zeros) {
    Open segment = requireOpen();
    if (zeros < 1 || zeros > zerosFitting()) {
      throw new IllegalStateException(zeros + " zeros, where " + zerosFitting() + " fit");
    }
    Math.addExact(segment.startBytes, segment.rawBytes + zeros);
    segment.end += encoder.encodeZeros(zeros, segment.staging, segment.end);
    segment.crcBefore =
        Crc32cCombination.combine(rawCrc32c(segment), Crc32cCombination.ofZeros(zeros), zeros);
    segment.crcBytes = 0;
    crc.reset();
    segment.rawBytes += zeros;
  }

  private int rawCrc32c(Open segment) {
    return Crc32cCombination.combine(segment.crcBefore, (int) crc.getValue(), segment.crcBytes);
  }

  /** Returns the number of raw bytes appended to the open segment so far. */
  public long rawBytes() {
    return requireOpen().rawBytes;
  }

  /** Returns the number of staging bytes that the open segment's units take so far. */
  public int encodedBytes() {
    Open segment = requireOpen();
    return segment.end - segment.dataFrom;
  }

  /**
   * Returns a copy of the units of the open segment so far, not encrypted. They can be added to a
   * longer segment with {@link SegmentComposer#addUnits}.
   */
  public byte[] encodedCopy() {
    Open segment = requireOpen();
    return Arrays.copyOfRange(segment.staging, segment.dataFrom, segment.end);
  }

  /**
   * Writes the header, encrypts, and ends the segment, which must hold at least one byte.
   *
   * @param path the current absolute path of the file
   * @param modificationTimeNanos the file's mtime, nanoseconds since 1970
   * @param permissions the file's mode; bits beyond 07777 are ignored
   * @param sealedAtMillis the current time, milliseconds since 1970
   */
  public SealedSegment finish(
      PosixPath path, long modificationTimeNanos, int permissions, long sealedAtMillis) {
    return finish(
        path,
        modificationTimeNanos,
        permissions,
        Optional.empty(),
        OptionalLong.empty(),
        sealedAtMillis);
  }

  /**
   * The same, and tells who owns the file, and when it came to its path.
   *
   * @param owner empty if it is not known
   * @param arrivalNanos empty if it is not known
   */
  public SealedSegment finish(
      PosixPath path,
      long modificationTimeNanos,
      int permissions,
      Optional<FileOwner> owner,
      OptionalLong arrivalNanos,
      long sealedAtMillis) {
    Open segment = requireOpen();
    if (segment.rawBytes == 0) {
      throw new IllegalStateException("a segment holds at least one byte");
    }
    ByteRange range = new ByteRange(segment.startBytes, segment.startBytes + segment.rawBytes);
    int rawCrc32c = rawCrc32c(segment);
    SegmentHeader header =
        new SegmentHeader(
            SegmentHeader.VERSION,
            segment.agent,
            segment.stream,
            range,
            path,
            sealedAtMillis,
            modificationTimeNanos,
            permissions & 07777,
            rawCrc32c,
            false,
            owner,
            arrivalNanos);
    byte[] envelope = HeaderEnvelope.wrap(HeaderFormat.encode(header), codec instanceof Codec.Gzip);
    int from = segment.dataFrom - envelope.length;
    System.arraycopy(envelope, 0, segment.staging, from, envelope.length);
    String subject = ArchiveNames.segmentSubject(segment.streamPrefix, range);
    if (age != null) {
      Optional<AgeStanza> content =
          contentKey
              .map(key -> ContentStanza.Check.of(key, segment.stream, range, rawCrc32c))
              .map(ContentStanza::toStanza);
      from =
          age.encrypt(
              segment.staging,
              from,
              segment.end,
              content.stream().toList(),
              signer.map(with -> new AgeEncryption.Signing(with, subject)));
    } else if (signer.isPresent()) {
      sign(segment, subject, envelope, signer.get());
    }
    open = null;
    return new SealedSegment(
        ArchiveNames.segment(segment.streamPrefix, range, codec, age != null),
        range,
        segment.staging,
        from,
        segment.end - from,
        rawCrc32c);
  }

  /** Puts the signature of a segment that is not encrypted behind its units. */
  private void sign(Open segment, String subject, byte[] envelope, ObjectSigner with) {
    byte[] units =
        Statement.digest(segment.staging, segment.dataFrom, segment.end - segment.dataFrom);
    byte[] frame =
        FrameSignature.sign(subject, envelope, List.of(units), with)
            .encode(codec instanceof Codec.Gzip);
    System.arraycopy(frame, 0, segment.staging, segment.end, frame.length);
    segment.end += frame.length;
  }

  /** Discards the open segment, if there is one. */
  public void abandon() {
    open = null;
  }

  private Open requireOpen() {
    if (open == null) {
      throw new IllegalStateException("no segment is open");
    }
    return open;
  }

  @Override
  public void close() {
    open = null;
    encoder.close();
  }
}
