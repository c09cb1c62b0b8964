package dev.tailwater.archive.age;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Keys that age derives from a file key (the age specification, "Header MAC" and "Payload"). */
public final class AgeKeys {
  public static final int FILE_KEY_BYTES = 16;
  public static final int NONCE_BYTES = 16;
  private static final int DERIVED_BYTES = 32;

  private AgeKeys() {}

  /** Derives the key of the payload. */
  public static byte[] payloadKey(byte[] fileKey, byte[] nonce) {
    return derive(HKDFParameterSpec.ofExtract().addIKM(fileKey).addSalt(nonce), "payload");
  }

  /** Returns the MAC of the header up to and including {@code ---}. */
  static byte[] headerMac(byte[] fileKey, byte[] header, int lengthBytes) {
    byte[] key = derive(HKDFParameterSpec.ofExtract().addIKM(fileKey), "header");
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(header, 0, lengthBytes);
      return mac.doFinal();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HmacSHA256", impossible);
    }
  }

  private static byte[] derive(HKDFParameterSpec.Builder extract, String info) {
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(extract.thenExpand(info.getBytes(StandardCharsets.US_ASCII), DERIVED_BYTES));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("JDK 25 and newer have HKDF-SHA256", impossible);
    }
  }
}
