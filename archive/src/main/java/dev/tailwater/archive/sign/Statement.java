package dev.tailwater.archive.sign;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a signature says of an object: {@code docs/format.md}, "Signatures".
 *
 * @param subject which object: its key, without what depends on its encoding
 * @param form what the digest is of
 * @param digest SHA-256 of what stands for the object
 */
public record Statement(
    String subject, Form form, @SuppressWarnings("ArrayRecordComponent") byte[] digest) {
  /** The length of a digest. */
  public static final int DIGEST_BYTES = 32;

  /** What stands for an object. */
  public enum Form {
    /** The header of the age file without the signature, and the nonce of its payload. */
    AGE("age"),
    /** The first frame, and the digests of what follows it. */
    FRAMES("frames"),
    /** The text before the signature. */
    RECORD("record");

    private final String word;

    Form(String word) {
      this.word = word;
    }
  }

  /** Returns a new digest of the kind that statements have. */
  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** Returns the digest of a part of an array. */
  public static byte[] digest(byte[] bytes, int from, int lengthBytes) {
    MessageDigest digest = newDigest();
    digest.update(bytes, from, lengthBytes);
    return digest.digest();
  }

  /** Returns what is signed. */
  byte[] message(long atMillis) {
    String text =
        "tailwater signature 1\n"
            + subject
            + "\n"
            + atMillis
            + "\n"
            + form.word
            + " "
            + HexFormat.of().formatHex(digest)
            + "\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
