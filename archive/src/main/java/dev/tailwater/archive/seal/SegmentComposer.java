package dev.tailwater.archive.seal;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.Crc32cCombination;
import dev.tailwater.archive.age.AgeEncryption;
import dev.tailwater.archive.age.AgePayload;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.header.HeaderFormat;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.Statement;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A composer that builds one long segment from the content of several short ones, piece by piece,
 * in constant memory. The result is an ordinary segment. Its checksum must be known in advance
 * ({@link Crc32cCombination}), because the header comes first.
 *
 * <p>One segment at a time: {@link #begin}, then {@link #addUnits} and {@link #addRaw} in the order
 * of the stream, then {@link #finish}. Not thread-safe. {@link #close} frees native memory.
 */
public final class SegmentComposer implements AutoCloseable {
  private static final int BLOCK_BYTES = 1024 * 1024;

  private final Codec codec;
  private final BlockEncoder encoder;
  private final @Nullable AgeEncryption age;
  private final Optional<ContentKey> contentKey;
  private final Optional<ObjectSigner> signer;
  private final byte[] unit;
  private @Nullable Output output;

  /** Present while a segment is open that is signed at its end. */
  private Optional<UnitSigner> unitSigner = Optional.empty();

  private long missingBytes;

  /**
   * A receiver of the object's bytes, in pieces of at least 64 KiB, except for the first and the
   * last.
   */
  @FunctionalInterface
  public interface Sink {
    /** Receives a part of an array. The caller may reuse the array after this method returns. */
    void accept(byte[] bytes, int from, int lengthBytes) throws IOException;
  }

  /** Creates a composer that does not sign; see the other constructor. */
  public SegmentComposer(
      Codec codec,
      List<Recipient> recipients,
      Optional<ContentKey> contentKey,
      SecureRandom random) {
    this(codec, recipients, contentKey, random, Optional.empty());
  }

  /**
   * Creates a composer.
   *
   * @param recipients the keys to encrypt to, at most {@value SegmentSealer#MAX_RECIPIENTS}; empty
   *     for no encryption
   * @param contentKey the key of the check that an encrypted segment states; empty for no check
   * @param random the source of file keys and nonces
   * @param signer signs the segments; empty for no signature
   */
  public SegmentComposer(
      Codec codec,
      List<Recipient> recipients,
      Optional<ContentKey> contentKey,
      SecureRandom random,
      Optional<ObjectSigner> signer) {
    this.codec = codec;
    this.contentKey = contentKey;
    this.signer = signer;
    this.age = recipients.isEmpty() ? null : new AgeEncryption(recipients, random);
    this.encoder = BlockEncoders.create(codec, System::arraycopy);
    this.unit = new byte[encoder.maxEncodedBytes(BLOCK_BYTES)];
  }

  /** Returns the maximum number of raw bytes that {@link #addRaw} accepts at once. */
  public int blockBytes() {
    return BLOCK_BYTES;
  }

  /** Returns the key of the segment for a range. */
  public String key(String streamPrefix, ByteRange range) {
    return ArchiveNames.segment(streamPrefix, range, codec, age != null);
  }

  /**
   * Begins a segment with a header; discards an unfinished segment.
   *
   * @param streamPrefix what the key of the segment begins with
   */
  public void begin(SegmentHeader header, String streamPrefix, Sink sink) throws IOException {
    missingBytes = header.range().lengthBytes();
    unitSigner = Optional.empty();
    byte[] envelope = HeaderEnvelope.wrap(HeaderFormat.encode(header), codec instanceof Codec.Gzip);
    String subject = ArchiveNames.segmentSubject(streamPrefix, header.range());
    Output begun =
        age == null ? new Output(sink, Optional.empty()) : encrypting(age, header, subject, sink);
    output = begun;
    begun.write(envelope, 0, envelope.length);
    if (age == null) {
      unitSigner = signer.map(with -> new UnitSigner(with, subject, envelope));
    }
  }

  /** The signature of a segment that is not encrypted, which covers the units that are written. */
  private record UnitSigner(
      ObjectSigner signer,
      String subject,
      @SuppressWarnings("ArrayRecordComponent") byte[] envelope,
      MessageDigest units) {
    UnitSigner(ObjectSigner signer, String subject, byte[] envelope) {
      this(signer, subject, envelope, Statement.newDigest());
    }

    byte[] frame(boolean gzip) {
      List<byte[]> digests = List.of(units.digest());
      return FrameSignature.sign(subject, envelope, digests, signer).encode(gzip);
    }
  }

  private Output encrypting(
      AgeEncryption encryption, SegmentHeader header, String subject, Sink sink)
      throws IOException {
    AgeEncryption.Started file =
        encryption.start(
            contentKey
                .map(
                    key ->
                        ContentStanza.Check.of(
                            key, header.stream(), header.range(), header.rawCrc32c()))
                .map(ContentStanza::toStanza),
            signer.map(with -> new AgeEncryption.Signing(with, subject)));
    sink.accept(file.front(), 0, file.front().length);
    return new Output(sink, Optional.of(file.payload()));
  }

  /**
   * Adds units that a sealer made with a codec of the same file format.
   *
   * @param rawBytes the number of raw bytes in them, which is not checked
   */
  public void addUnits(byte[] units, long rawBytes) throws IOException {
    write(take(rawBytes), units, units.length);
  }

  /** Compresses the next bytes, at most {@link #blockBytes}, into one unit. */
  public void addRaw(byte[] raw, int from, int lengthBytes) throws IOException {
    Output begun = take(lengthBytes);
    int length = encoder.encode(raw, from, lengthBytes, unit, 0);
    write(begun, unit, length);
  }

  private void write(Output begun, byte[] units, int lengthBytes) throws IOException {
    unitSigner.ifPresent(with -> with.units().update(units, 0, lengthBytes));
    begun.write(units, 0, lengthBytes);
  }

  private Output take(long rawBytes) {
    if (output == null) {
      throw new IllegalStateException("no segment is open");
    }
    if (rawBytes < 1 || rawBytes > missingBytes) {
      throw new IllegalStateException(rawBytes + " bytes more, where " + missingBytes + " miss");
    }
    missingBytes -= rawBytes;
    return output;
  }

  /** Ends the segment. All its bytes must have been added. */
  public void finish() throws IOException {
    if (output == null || missingBytes != 0) {
      throw new IllegalStateException(missingBytes + " bytes miss, or no segment is open");
    }
    if (unitSigner.isPresent()) {
      byte[] frame = unitSigner.get().frame(codec instanceof Codec.Gzip);
      output.write(frame, 0, frame.length);
      unitSigner = Optional.empty();
    }
    output.end();
    output = null;
  }

  @Override
  public void close() {
    output = null;
    encoder.close();
  }

  /** Collects bytes into chunks of age's size, and encrypts them if there are recipients. */
  private static final class Output {
    private final Sink sink;
    private final Optional<AgePayload> payload;
    private final byte[] chunk = new byte[AgePayload.CHUNK_BYTES];
    private final byte[] sealed = new byte[AgePayload.SEALED_CHUNK_BYTES];
    private int chunkBytes;

    Output(Sink sink, Optional<AgePayload> payload) {
      this.sink = sink;
      this.payload = payload;
    }

    void write(byte[] bytes, int from, int lengthBytes) throws IOException {
      int at = from;
      int end = from + lengthBytes;
      while (at < end) {
        // Flush only when more bytes follow, because the last chunk must be marked.
        if (chunkBytes == chunk.length) {
          flush(false);
        }
        if (payload.isEmpty() && chunkBytes == 0 && end - at >= chunk.length) {
          sink.accept(bytes, at, end - at);
          return;
        }
        int count = Math.min(end - at, chunk.length - chunkBytes);
        System.arraycopy(bytes, at, chunk, chunkBytes, count);
        chunkBytes += count;
        at += count;
      }
    }

    void end() throws IOException {
      if (chunkBytes > 0) {
        flush(true);
      }
    }

    private void flush(boolean last) throws IOException {
      if (payload.isEmpty()) {
        sink.accept(chunk, 0, chunkBytes);
      } else {
        try {
          int length = payload.get().next(chunk, 0, chunkBytes, last, sealed, 0);
          sink.accept(sealed, 0, length);
        } catch (GeneralSecurityException impossible) {
          throw new IllegalStateException("encryption cannot fail here", impossible);
        }
      }
      chunkBytes = 0;
    }
  }
}
