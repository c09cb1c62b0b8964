package dev.tailwater.archive.sign;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The signature of a JSON object: its last field, {@code "signature":"KEY AT SIGNATURE"}. It covers
 * the bytes before it.
 */
public final class RecordSignature {
  private static final String FIELD = ",\"signature\":\"";
  private static final String END = "\"}";

  /** The longest text from the field to the end: a key, a time, and 86 characters. */
  private static final int MAX_TEXT_BYTES = FIELD.length() + 8 + 1 + 20 + 1 + 86 + END.length();

  private RecordSignature() {}

  /**
   * A record whose signature is to be checked.
   *
   * @param digest SHA-256 of what is signed
   */
  public record Signed(
      ObjectSignature signature, @SuppressWarnings("ArrayRecordComponent") byte[] digest) {}

  /**
   * Returns the record with a signature.
   *
   * @param json an object with at least one field
   * @param key its key in the archive
   */
  public static byte[] add(byte[] json, String key, ObjectSigner signer) {
    int end = json.length;
    while (end > 0 && (json[end - 1] == '\n' || json[end - 1] == ' ')) {
      end--;
    }
    if (end < 2 || json[end - 1] != '}') {
      throw new IllegalArgumentException("not a JSON object: " + key);
    }
    int signedBytes = end - 1;
    while (json[signedBytes - 1] == '\n' || json[signedBytes - 1] == ' ') {
      signedBytes--;
    }
    ObjectSignature made = signer.sign(statement(key, json, signedBytes));
    String text =
        FIELD
            + made.keyId()
            + " "
            + made.atMillis()
            + " "
            + Base64.getEncoder().withoutPadding().encodeToString(made.bytes())
            + END;
    byte[] field = text.getBytes(StandardCharsets.US_ASCII);
    byte[] signed = Arrays.copyOf(json, signedBytes + field.length);
    System.arraycopy(field, 0, signed, signedBytes, field.length);
    return signed;
  }

  /** Returns the signature of a record; empty if it has none. */
  public static Optional<Signed> find(byte[] json) {
    int from = Math.max(0, json.length - MAX_TEXT_BYTES);
    String tail = new String(json, from, json.length - from, StandardCharsets.ISO_8859_1);
    int at = tail.lastIndexOf(FIELD);
    if (at < 0 || !tail.endsWith(END) || tail.length() < at + FIELD.length() + END.length()) {
      return Optional.empty();
    }
    String[] words =
        tail.substring(at + FIELD.length(), tail.length() - END.length()).split(" ", -1);
    if (words.length != 3) {
      return Optional.empty();
    }
    try {
      byte[] signature = Base64.getDecoder().decode(words[2]);
      ObjectSignature found = new ObjectSignature(words[0], Long.parseLong(words[1]), signature);
      MessageDigest digest = Statement.newDigest();
      digest.update(json, 0, from + at);
      return Optional.of(new Signed(found, digest.digest()));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** Returns what the signature of a record must say. */
  static Statement statement(String key, byte[] digest) {
    return new Statement(key, Statement.Form.RECORD, digest);
  }

  private static Statement statement(String key, byte[] json, int signedBytes) {
    MessageDigest digest = Statement.newDigest();
    digest.update(json, 0, signedBytes);
    return statement(key, digest.digest());
  }
}
