package dev.tailwater.archive.sign;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The private key of an agent or a compactor. Its text never shows the key. Immutable and
 * thread-safe.
 *
 * <p>A file of it is text: lines that begin with {@code #} are comments, and one line is {@code
 * ed25519-secret:} and 64 bytes in base64, the private key and the public one.
 */
public final class SigningKey {
  /** More than any file of a key has. */
  public static final int MAX_FILE_BYTES = 4096;

  private static final String PREFIX = "ed25519-secret:";
  private static final byte[] PROBE = "probe".getBytes(StandardCharsets.US_ASCII);

  private final byte[] secret;
  private final PrivateKey key;
  private final VerifyingKey publicKey;

  private SigningKey(byte[] secret, PrivateKey key, VerifyingKey publicKey) {
    this.secret = secret;
    this.key = key;
    this.publicKey = publicKey;
  }

  /** Generates a key pair. */
  public static SigningKey generate(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
      generator.initialize(255, random);
      KeyPair pair = generator.generateKeyPair();
      return of(last(pair.getPrivate().getEncoded()), last(pair.getPublic().getEncoded()))
          .orElseThrow(() -> new IllegalStateException("a generated key that does not fit"));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has Ed25519", impossible);
    }
  }

  private static byte[] last(byte[] encoded) {
    return Arrays.copyOfRange(encoded, encoded.length - Ed25519.KEY_BYTES, encoded.length);
  }

  private static Optional<SigningKey> of(byte[] secret, byte[] publicBytes) {
    try {
      PrivateKey key = Ed25519.privateKey(secret);
      return VerifyingKey.of(publicBytes)
          .filter(found -> found.verifies(PROBE, Ed25519.sign(key, PROBE)))
          .map(found -> new SigningKey(secret, key, found));
    } catch (GeneralSecurityException malformed) {
      return Optional.empty();
    }
  }

  /**
   * Parses the content of a file.
   *
   * @throws IllegalArgumentException if it holds no key or several; the message has no secret
   */
  public static SigningKey parse(String fileText) {
    List<String> lines =
        fileText
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .toList();
    if (lines.size() != 1 || !lines.getFirst().startsWith(PREFIX)) {
      throw new IllegalArgumentException(
          "holds no signing key: make one with 'tailwater keygen --signing'");
    }
    byte[] pair;
    try {
      pair = Base64.getDecoder().decode(lines.getFirst().substring(PREFIX.length()));
    } catch (IllegalArgumentException malformed) {
      pair = new byte[0]; // Without the cause, whose message may quote the secret.
    }
    if (pair.length != 2 * Ed25519.KEY_BYTES) {
      throw new IllegalArgumentException("holds a signing key that is cut off or altered");
    }
    return of(
            Arrays.copyOf(pair, Ed25519.KEY_BYTES),
            Arrays.copyOfRange(pair, Ed25519.KEY_BYTES, pair.length))
        .orElseThrow(
            () -> new IllegalArgumentException("holds a private and a public key that differ"));
  }

  /** Returns the content of a file, including the secret. */
  public String toFileText() {
    byte[] raw =
        Base64.getDecoder().decode(publicKey.text().substring(VerifyingKey.PREFIX.length()));
    byte[] pair = Arrays.copyOf(secret, 2 * Ed25519.KEY_BYTES);
    System.arraycopy(raw, 0, pair, Ed25519.KEY_BYTES, raw.length);
    return "# public key: "
        + publicKey.text()
        + "\n"
        + PREFIX
        + Base64.getEncoder().encodeToString(pair)
        + "\n";
  }

  /** Returns the key with which others check the signatures. */
  public VerifyingKey publicKey() {
    return publicKey;
  }

  byte[] sign(byte[] message) {
    return Ed25519.sign(key, message);
  }

  @Override
  public String toString() {
    return "signing key (secret) of " + publicKey;
  }
}
