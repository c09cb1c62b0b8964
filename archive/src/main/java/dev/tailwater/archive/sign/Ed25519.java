package dev.tailwater.archive.sign;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/** Ed25519 (RFC 8032) with raw keys. The JDK takes them only in the wrappings of RFC 8410. */
final class Ed25519 {
  static final int KEY_BYTES = 32;
  static final int SIGNATURE_BYTES = 64;

  private static final String NAME = "Ed25519";
  private static final byte[] PUBLIC_PREFIX = hex("302a300506032b6570032100");
  private static final byte[] PRIVATE_PREFIX = hex("302e020100300506032b657004220420");

  private Ed25519() {}

  static PublicKey publicKey(byte[] raw) throws GeneralSecurityException {
    return KeyFactory.getInstance(NAME)
        .generatePublic(new X509EncodedKeySpec(joined(PUBLIC_PREFIX, raw)));
  }

  static PrivateKey privateKey(byte[] raw) throws GeneralSecurityException {
    return KeyFactory.getInstance(NAME)
        .generatePrivate(new PKCS8EncodedKeySpec(joined(PRIVATE_PREFIX, raw)));
  }

  static byte[] sign(PrivateKey key, byte[] message) {
    try {
      Signature signature = Signature.getInstance(NAME);
      signature.initSign(key);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("signing with " + NAME + " cannot fail", impossible);
    }
  }

  static boolean verify(PublicKey key, byte[] message, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(NAME);
      signature.initVerify(key);
      signature.update(message);
      return signature.verify(signed);
    } catch (GeneralSecurityException malformed) {
      return false;
    }
  }

  private static byte[] joined(byte[] prefix, byte[] raw) {
    if (raw.length != KEY_BYTES) {
      throw new IllegalArgumentException("a key has " + KEY_BYTES + " bytes, not " + raw.length);
    }
    byte[] all = new byte[prefix.length + raw.length];
    System.arraycopy(prefix, 0, all, 0, prefix.length);
    System.arraycopy(raw, 0, all, prefix.length, raw.length);
    return all;
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
