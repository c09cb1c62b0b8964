package dev.tailwater.archive.age;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The stanza {@code -> tailwater-pack KEY NONCE} in the age header of an encrypted pack: its
 * directory under the agent's {@link ContentKey}. An agent that lost its state finds out with it
 * what it has delivered, though it cannot read the payload. age ignores stanzas of unknown types.
 */
public final class DirectoryStanza {
  static final String TYPE = "tailwater-pack";

  private static final int NONCE_BYTES = 12;

  /** Type, key, nonce, and the ends of the first and the last line. */
  private static final int FRAME_BYTES = 64;

  private DirectoryStanza() {}

  /** Returns the greatest length of the stanza of a directory. */
  public static int maxLengthBytes(int directoryBytes) {
    int characters = Math.ceilDiv((directoryBytes + AgePayload.TAG_BYTES) * 4, 3);
    return FRAME_BYTES + characters + characters / AgeHeaderWriter.BODY_COLUMNS;
  }

  /** Returns the length of a stanza in the header. */
  public static int lengthBytes(AgeStanza stanza) {
    return AgeHeaderWriter.lengthBytes(stanza);
  }

  /** Returns the stanza of a directory. */
  public static AgeStanza seal(byte[] directory, ContentKey key, SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    HexFormat hex = HexFormat.of();
    try {
      byte[] body = cipher(Cipher.ENCRYPT_MODE, key, nonce).doFinal(directory);
      return new AgeStanza(TYPE, List.of(hex.toHexDigits(key.id()), hex.formatHex(nonce)), body);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("encryption cannot fail here", impossible);
    }
  }

  /** Returns whether a stanza is one of these, well-formed or not. */
  public static boolean isMeant(AgeStanza stanza) {
    return stanza.type().equals(TYPE);
  }

  /**
   * Returns the directory of a stanza; empty when it was made with another key, or was altered.
   * What it says is as good as the key is secret.
   */
  public static Optional<byte[]> open(AgeStanza stanza, ContentKey key) {
    HexFormat hex = HexFormat.of();
    List<String> arguments = stanza.arguments();
    if (arguments.size() != 2
        || !arguments.getFirst().equals(hex.toHexDigits(key.id()))
        || arguments.get(1).length() != 2 * NONCE_BYTES) {
      return Optional.empty();
    }
    try {
      byte[] nonce = hex.parseHex(arguments.get(1));
      return Optional.of(cipher(Cipher.DECRYPT_MODE, key, nonce).doFinal(stanza.body()));
    } catch (GeneralSecurityException | IllegalArgumentException altered) {
      return Optional.empty();
    }
  }

  private static Cipher cipher(int mode, ContentKey key, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("ChaCha20-Poly1305");
    SecretKeySpec secret = new SecretKeySpec(key.directoryKey(), "ChaCha20");
    cipher.init(mode, secret, new IvParameterSpec(nonce));
    return cipher;
  }
}
