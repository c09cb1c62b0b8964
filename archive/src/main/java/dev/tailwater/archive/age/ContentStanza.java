package dev.tailwater.archive.age;

import dev.tailwater.archive.ByteRange;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The extra stanza {@code -> tailwater-v1 START-END CRC32C} in the header of an encrypted segment.
 * age ignores stanzas of unknown types. With this stanza, an agent that lost its state can compare
 * a delivered segment with its file without a private key; {@code docs/format.md} says what
 * information it reveals.
 */
public record ContentStanza(ByteRange range, int rawCrc32c) {
  public static final String TYPE = "tailwater-v1";

  AgeStanza toStanza() {
    return new AgeStanza(
        TYPE,
        List.of(range.startBytes() + "-" + range.endBytes(), HexFormat.of().toHexDigits(rawCrc32c)),
        new byte[0]);
  }

  /** Parses a stanza; returns empty if it has this type but not this form. */
  static Optional<ContentStanza> of(AgeStanza stanza) {
    if (stanza.arguments().size() != 2) {
      return Optional.empty();
    }
    String rangeText = stanza.arguments().getFirst();
    String crcText = stanza.arguments().getLast();
    int hyphen = rangeText.indexOf('-');
    try {
      ByteRange range =
          new ByteRange(
              Long.parseLong(rangeText, 0, Math.max(hyphen, 0), 10),
              Long.parseLong(rangeText, hyphen + 1, rangeText.length(), 10));
      ContentStanza content = new ContentStanza(range, HexFormat.fromHexDigits(crcText));
      // Accept only the one spelling that this class writes.
      return content.toStanza().arguments().equals(stanza.arguments())
          ? Optional.of(content)
          : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
