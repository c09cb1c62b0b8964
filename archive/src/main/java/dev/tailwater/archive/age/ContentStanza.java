package dev.tailwater.archive.age;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A statement of an object about its content that can be read without a private key. With it, an
 * agent that lost its state can compare a delivered segment with its file. In an encrypted segment
 * it is an extra stanza of the age header; age ignores stanzas of unknown types. {@code
 * docs/format.md} says what information it reveals.
 */
public sealed interface ContentStanza {
  /** Returns the range of the stream. */
  ByteRange range();

  /** Returns whether it can be compared with bytes, given this key. */
  boolean isComparable(Optional<ContentKey> key);

  /**
   * Returns whether the range holds bytes with this checksum; false when that cannot be compared.
   */
  boolean matches(StreamId stream, int rawCrc32c, Optional<ContentKey> key);

  /** Returns it as a stanza of an age header. */
  AgeStanza toStanza();

  /** Returns whether a stanza is of this kind, well-formed or not. */
  static boolean isMeant(AgeStanza stanza) {
    return stanza.type().equals(Checksum.TYPE) || stanza.type().equals(Check.TYPE);
  }

  /** Parses a stanza; returns empty if it has this type but not this form. */
  static Optional<ContentStanza> of(AgeStanza stanza) {
    boolean checksum = stanza.type().equals(Checksum.TYPE);
    if (stanza.arguments().size() != (checksum ? 2 : 3)) {
      return Optional.empty();
    }
    try {
      ContentStanza content = checksum ? Checksum.parse(stanza) : Check.parse(stanza);
      // Accept only the one spelling that this class writes.
      return content.toStanza().arguments().equals(stanza.arguments())
          ? Optional.of(content)
          : Optional.empty();
    } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
      return Optional.empty();
    }
  }

  private static String text(ByteRange range) {
    return range.startBytes() + "-" + range.endBytes();
  }

  private static ByteRange range(AgeStanza stanza) {
    String text = stanza.arguments().getFirst();
    int hyphen = text.indexOf('-');
    return new ByteRange(
        Long.parseLong(text, 0, Math.max(hyphen, 0), 10),
        Long.parseLong(text, hyphen + 1, text.length(), 10));
  }

  /**
   * The checksum itself: in the header of a plain segment, and in the stanza {@code -> tailwater-v1
   * START-END CRC32C} of earlier encrypted segments, which are still read.
   */
  record Checksum(ByteRange range, int rawCrc32c) implements ContentStanza {
    public static final String TYPE = "tailwater-v1";

    private static Checksum parse(AgeStanza stanza) {
      return new Checksum(
          ContentStanza.range(stanza), HexFormat.fromHexDigits(stanza.arguments().get(1)));
    }

    @Override
    public boolean isComparable(Optional<ContentKey> key) {
      return true;
    }

    @Override
    public boolean matches(StreamId stream, int crc32c, Optional<ContentKey> key) {
      return rawCrc32c == crc32c;
    }

    @Override
    public AgeStanza toStanza() {
      return new AgeStanza(
          TYPE, List.of(text(range), HexFormat.of().toHexDigits(rawCrc32c)), new byte[0]);
    }
  }

  /**
   * The checksum under a secret key: the stanza {@code -> tailwater-v2 START-END CHECK KEY}.
   *
   * @param keyId {@link ContentKey#id} of the key that it was made with
   */
  record Check(ByteRange range, long check, int keyId) implements ContentStanza {
    public static final String TYPE = "tailwater-v2";

    /** Returns the check of a range of a stream under a key. */
    public static Check of(ContentKey key, StreamId stream, ByteRange range, int rawCrc32c) {
      return new Check(range, key.check(stream, range, rawCrc32c), key.id());
    }

    private static Check parse(AgeStanza stanza) {
      return new Check(
          ContentStanza.range(stanza),
          HexFormat.fromHexDigitsToLong(stanza.arguments().get(1)),
          HexFormat.fromHexDigits(stanza.arguments().get(2)));
    }

    @Override
    public boolean isComparable(Optional<ContentKey> key) {
      return key.isPresent() && key.get().id() == keyId;
    }

    @Override
    public boolean matches(StreamId stream, int rawCrc32c, Optional<ContentKey> key) {
      return isComparable(key) && key.orElseThrow().check(stream, range, rawCrc32c) == check;
    }

    @Override
    public AgeStanza toStanza() {
      HexFormat hex = HexFormat.of();
      return new AgeStanza(
          TYPE, List.of(text(range), hex.toHexDigits(check), hex.toHexDigits(keyId)), new byte[0]);
    }
  }
}
