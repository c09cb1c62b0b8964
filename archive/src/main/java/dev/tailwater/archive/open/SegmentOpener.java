package dev.tailwater.archive.open;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.ObjectInput;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.age.AgeHeaderReader;
import dev.tailwater.archive.age.AgeInput;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.HeaderSignature;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.header.HeaderReader;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.Trust;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Opens segments: decrypts, decompresses and verifies them. Objects may be hostile: memory use is
 * bounded, whatever they claim (about 400 KiB, and a zstd window of at most 128 MiB). If {@link
 * #open} returns normally, header, name, length and checksums agree. Segments may have any length.
 * Stateless and thread-safe.
 */
public final class SegmentOpener {
  /**
   * The largest accepted zstd window, as a power of two; this is also the limit of {@code zstd -d}.
   */
  static final int MAX_WINDOW_LOG = 27;

  private static final int BUFFER_BYTES = 128 * 1024;

  private final Trust trust;

  /** Creates an opener that does not check signatures. */
  public SegmentOpener() {
    this(Trust.none());
  }

  /** Creates an opener that opens only segments with a signature that is trusted. */
  public SegmentOpener(Trust trust) {
    this.trust = trust;
  }

  /**
   * Writes the segment's raw bytes to {@code raw} and returns its header.
   *
   * @param name the parsed key of the object, which must agree with the content
   * @param object the whole object; not closed
   * @param identities private keys to try; may be empty for segments that are not encrypted
   * @param raw receives the bytes, never more than the range has, before all of them are verified;
   *     discard them if this method throws. Not closed
   * @throws DamagedSegmentException if the object is not what a sealer wrote under this name
   * @throws NoIdentityException if the object is encrypted and no identity fits
   * @throws UnsupportedFormatException if the object was written by a newer version
   * @throws dev.tailwater.archive.NotAuthenticException if the object has no trusted signature
   * @throws IOException whatever {@code object} or {@code raw} throws, unchanged
   */
  public SegmentHeader open(
      ArchiveObject.Segment name, InputStream object, List<Identity> identities, OutputStream raw)
      throws IOException {
    ObjectInput in = new ObjectInput(object, name.key());
    if (!name.encrypted()) {
      return trust.isChecked()
          ? openSigned(name, in, raw)
          : openPlain(name, new HeaderReader(in, in, name, 0).read(), in, in, raw);
    }
    AgeInput decrypted = openTrusted(name, in, identities);
    SegmentHeader header = new HeaderReader(decrypted, in, name, decrypted.payloadAt()).read();
    openPlain(name, header, decrypted, in, raw);
    requireAgreement(decrypted, header, in);
    return header;
  }

  private SegmentHeader openSigned(ArchiveObject.Segment name, ObjectInput in, OutputStream raw)
      throws IOException {
    SignedInput signed = new SignedInput(in, name.gzip());
    SegmentHeader header = new HeaderReader(signed, in, name, 0).read();
    signed.endHeader();
    openPlain(name, header, signed, in, raw);
    requireTrusted(name, signed.header(), signed.signature(name.key()));
    return header;
  }

  private void requireTrusted(
      ArchiveObject.Segment name, byte[] header, Optional<FrameSignature> signature)
      throws NotAuthenticException {
    FrameSignature found =
        signature.orElseThrow(
            () -> new NotAuthenticException(name.key(), true, "it is not signed"));
    trust.require(
        name.key(),
        name.agent(),
        Trust.Kind.OF_AGENT,
        Optional.of(found.signature()),
        found.statement(subject(name), header));
  }

  private AgeInput openTrusted(
      ArchiveObject.Segment name, ObjectInput in, List<Identity> identities) throws IOException {
    return AgeInput.open(
        in,
        identities,
        AgeHeaderReader.MAX_SEGMENT_HEADER_BYTES,
        found -> requireTrusted(name, found));
  }

  private void requireTrusted(ArchiveObject.Segment name, HeaderSignature found)
      throws NotAuthenticException {
    trust.require(
        name.key(),
        name.agent(),
        Trust.Kind.OF_AGENT,
        found.signature(),
        found.statement(subject(name)));
  }

  private void requireTrusted(ArchiveObject.Segment name, byte[] firstBytes) throws IOException {
    if (trust.isChecked()) {
      ObjectInput in = new ObjectInput(new ByteArrayInputStream(firstBytes), name.key());
      requireTrusted(name, HeaderSignature.read(in, AgeHeaderReader.MAX_SEGMENT_HEADER_BYTES));
    }
  }

  /**
   * Checks that a trusted key has signed a segment, without a private key. The bytes of a plain
   * segment are not compared with what is signed.
   *
   * @param firstBytes the object's first bytes; 8 KiB are always enough
   * @param tail the last {@link FrameSignature#segmentBytes} bytes of a plain segment
   * @throws NotAuthenticException if none has, or signatures are not checked
   * @throws DamagedSegmentException if the object does not begin with a header of this name
   */
  public void requireSigned(ArchiveObject.Segment name, byte[] firstBytes, byte[] tail)
      throws IOException {
    if (!trust.isChecked()) {
      throw new NotAuthenticException(name.key(), true, "no key is trusted");
    }
    if (name.encrypted()) {
      requireTrusted(name, firstBytes);
    } else {
      var _ = openHeader(name, new ByteArrayInputStream(firstBytes), List.of(), tail);
    }
  }

  private static String subject(ArchiveObject.Segment name) {
    return ArchiveNames.segmentSubject(name.streamPrefix(), name.range());
  }

  /** Reads only the segment header, where signatures are not checked; see the other method. */
  public SegmentHeader openHeader(
      ArchiveObject.Segment name, InputStream object, List<Identity> identities)
      throws IOException {
    return openHeader(name, object, identities, new byte[0]);
  }

  /**
   * Reads only the segment header. The header of a plain segment is verified only by its own
   * checksum and its agreement with the name, if signatures are not checked; that of an encrypted
   * segment also by the encryption.
   *
   * @param object the object's first bytes or more: 8 KiB are enough for a plain segment and 128
   *     KiB for an encrypted one
   * @param tail the last {@link FrameSignature#segmentBytes} bytes of a plain segment; needed only
   *     where signatures are checked
   * @throws DamagedSegmentException see {@link #open}
   * @throws NoIdentityException if the object is encrypted and no identity fits
   * @throws UnsupportedFormatException if the object was written by a newer version
   */
  public SegmentHeader openHeader(
      ArchiveObject.Segment name, InputStream object, List<Identity> identities, byte[] tail)
      throws IOException {
    ObjectInput in = new ObjectInput(object, name.key());
    if (!name.encrypted()) {
      SignedInput signed = new SignedInput(in, name.gzip());
      SegmentHeader header = new HeaderReader(signed, in, name, 0).read();
      if (trust.isChecked()) {
        requireTrusted(name, signed.header(), FrameSignature.decode(tail, name.gzip()));
      }
      return header;
    }
    AgeInput decrypted = openTrusted(name, in, identities);
    SegmentHeader header = new HeaderReader(decrypted, in, name, decrypted.payloadAt()).read();
    requireAgreement(decrypted, header, in);
    return header;
  }

  private static void requireAgreement(AgeInput decrypted, SegmentHeader header, ObjectInput in)
      throws DamagedSegmentException {
    Optional<ContentStanza> content = decrypted.content();
    if (content.isPresent() && !agrees(content.get(), header)) {
      throw in.damagedAt(0, "the age header and the segment header disagree");
    }
  }

  /** Without the secret key of a check, only its range can be compared. */
  private static boolean agrees(ContentStanza content, SegmentHeader header) {
    return content.range().equals(header.range())
        && switch (content) {
          case ContentStanza.Checksum stated -> stated.rawCrc32c() == header.rawCrc32c();
          case ContentStanza.Check _ -> true;
        };
  }

  private static SegmentHeader openPlain(
      ArchiveObject.Segment name,
      SegmentHeader header,
      InputStream content,
      ObjectInput in,
      OutputStream raw)
      throws IOException {
    int rawCrc32c;
    if (name.gzip()) {
      try (GzipInput inflated = new GzipInput(content, in)) {
        rawCrc32c = copy(inflated, header.range().lengthBytes(), in, raw);
      }
    } else {
      rawCrc32c = unzstd(content, header.range().lengthBytes(), in, raw);
    }
    if (rawCrc32c != header.rawCrc32c()) {
      throw in.damaged("the raw bytes do not have the checksum that the segment header states");
    }
    return header;
  }

  private static int unzstd(InputStream content, long lengthBytes, ObjectInput in, OutputStream raw)
      throws IOException {
    try (ZstdInputStreamNoFinalizer decompressed =
        new ZstdInputStreamNoFinalizer(new Unclosed(content)).setLongMax(MAX_WINDOW_LOG)) {
      return copy(decompressed, lengthBytes, in, raw);
    } catch (ZstdIOException damaged) {
      throw in.damaged("not what zstd wrote: " + damaged.getMessage());
    }
  }

  /** A stream that prevents the decompressor from closing the caller's stream. */
  static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {}
  }

  /** Copies exactly this many bytes and returns their CRC-32C; fails if there are fewer or more. */
  private static int copy(InputStream from, long lengthBytes, ObjectInput in, OutputStream raw)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    CRC32C crc = new CRC32C();
    long copied = 0;
    for (int taken = from.read(buffer); taken >= 0; taken = from.read(buffer)) {
      if (taken > lengthBytes - copied) {
        throw in.damaged("holds more than the " + lengthBytes + " raw bytes that its name states");
      }
      raw.write(buffer, 0, taken);
      crc.update(buffer, 0, taken);
      copied += taken;
    }
    if (copied < lengthBytes) {
      throw in.damaged(
          "holds only " + copied + " of the " + lengthBytes + " raw bytes that its name states");
    }
    return (int) crc.getValue();
  }

  /**
   * Returns what the object states about its content, which needs no private key. It comes from the
   * segment header or, for encrypted segments, from the extra stanza of the age header. It is not
   * authenticated: use it to compare a local file with a delivered segment, not to accept content.
   *
   * @param firstBytes the object's first bytes; 8 KiB are always enough
   * @return empty if the bytes do not contain the checksum, are damaged, or belong to another name;
   *     where signatures are checked, also if an encrypted segment has none that is trusted
   */
  public Optional<ContentStanza> peekContent(ArchiveObject.Segment name, byte[] firstBytes) {
    ObjectInput in = new ObjectInput(new ByteArrayInputStream(firstBytes), name.key());
    try {
      if (name.encrypted()) {
        requireTrusted(name, firstBytes);
        return peekStanza(name, in);
      }
      SegmentHeader header = new HeaderReader(in, in, name, 0).read();
      return Optional.of(new ContentStanza.Checksum(header.range(), header.rawCrc32c()));
    } catch (IOException says) {
      // An object that cannot be opened states nothing; open() reports the reason.
      return Optional.empty();
    }
  }

  private static Optional<ContentStanza> peekStanza(ArchiveObject.Segment name, ObjectInput in)
      throws IOException {
    AgeHeaderReader header = new AgeHeaderReader(in, AgeHeaderReader.MAX_SEGMENT_HEADER_BYTES);
    header.readVersion();
    for (Optional<AgeStanza> stanza = header.nextStanza();
        stanza.isPresent();
        stanza = header.nextStanza()) {
      if (ContentStanza.isMeant(stanza.get())) {
        return Optional.of(AgeInput.requireContent(in, stanza.get()))
            .filter(content -> content.range().equals(name.range()));
      }
    }
    return Optional.empty();
  }
}
