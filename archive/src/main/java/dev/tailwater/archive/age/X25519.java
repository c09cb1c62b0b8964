package dev.tailwater.archive.age;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;

/** Computation of public keys (RFC 7748): the private scalar times the base point, u = 9. */
final class X25519 {
  private static final String ALGORITHM = "X25519";

  private X25519() {}

  static byte[] publicKey(byte[] secret) {
    try {
      KeyFactory keys = KeyFactory.getInstance(ALGORITHM);
      PrivateKey scalar =
          keys.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, secret));
      PublicKey basePoint =
          keys.generatePublic(
              new XECPublicKeySpec(NamedParameterSpec.X25519, BigInteger.valueOf(9)));
      KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
      agreement.init(scalar);
      agreement.doPhase(basePoint, true);
      return agreement.generateSecret();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has X25519", impossible);
    }
  }
}
