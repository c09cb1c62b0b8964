package dev.tailwater.archive.age;

import com.exceptionfactory.jagged.FileKey;
import com.exceptionfactory.jagged.RecipientStanza;
import com.exceptionfactory.jagged.RecipientStanzaWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A writer of the text header of an age v1 file for X25519 recipients. */
public final class AgeHeaderWriter {
  static final String VERSION_LINE = "age-encryption.org/v1";
  static final String STANZA_START = "-> ";
  static final String MAC_START = "---";
  static final int BODY_COLUMNS = 64;
  private static final int X25519_STANZA_BYTES = 98;
  private static final int CONTENT_STANZA_MAX_BYTES = 83;
  private static final int MAC_LINE_BYTES = 48;

  private final List<RecipientStanzaWriter> recipients;

  public AgeHeaderWriter(List<Recipient> recipients) {
    this.recipients = recipients.stream().map(Recipient::newStanzaWriter).toList();
  }

  /** Returns the maximum length of a header in bytes. */
  public int maxLengthBytes() {
    return VERSION_LINE.length()
        + 1
        + CONTENT_STANZA_MAX_BYTES
        + SignatureStanza.MAX_LENGTH_BYTES
        + recipients.size() * X25519_STANZA_BYTES
        + MAC_LINE_BYTES;
  }

  /**
   * Returns a header with the file key encrypted to each recipient, the extra stanza, and the MAC.
   *
   * @param extra the extra stanza; empty for none
   */
  public byte[] write(byte[] fileKey, Optional<AgeStanza> extra) {
    return write(fileKey, extra.stream().toList());
  }

  /** The same with any number of extra stanzas. */
  byte[] write(byte[] fileKey, List<AgeStanza> extra) {
    return write(fileKey, extra, _ -> Optional.empty());
  }

  /**
   * The same with a last stanza that depends on what comes before it.
   *
   * @param signing makes the stanza from the header up to there
   */
  byte[] write(
      byte[] fileKey, List<AgeStanza> extra, Function<byte[], Optional<AgeStanza>> signing) {
    ByteArrayOutputStream header = new ByteArrayOutputStream(maxLengthBytes());
    append(header, VERSION_LINE + "\n");
    // Comes first, so that it is within the first bytes of the object, whatever the number of
    // recipients.
    extra.forEach(stanza -> append(header, stanza));
    try {
      for (RecipientStanzaWriter recipient : recipients) {
        for (RecipientStanza stanza : recipient.getRecipientStanzas(new FileKey(fileKey))) {
          append(header, stanza);
        }
      }
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("cannot wrap a file key for a recipient", impossible);
    }
    signing.apply(header.toByteArray()).ifPresent(stanza -> append(header, stanza));
    append(header, MAC_START);
    byte[] mac = AgeKeys.headerMac(fileKey, header.toByteArray(), header.size());
    append(header, " " + base64(mac) + "\n");
    return header.toByteArray();
  }

  /** Returns the length of a stanza in a header. */
  static int lengthBytes(AgeStanza stanza) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    append(text, stanza);
    return text.size();
  }

  private static void append(ByteArrayOutputStream header, RecipientStanza stanza) {
    append(header, STANZA_START + stanza.getType());
    for (String argument : stanza.getArguments()) {
      append(header, " " + argument);
    }
    append(header, "\n");
    String body = base64(stanza.getBody());
    int from = 0;
    for (; body.length() - from >= BODY_COLUMNS; from += BODY_COLUMNS) {
      append(header, body.substring(from, from + BODY_COLUMNS) + "\n");
    }
    append(header, body.substring(from) + "\n");
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }

  private static void append(ByteArrayOutputStream header, String text) {
    header.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }
}
