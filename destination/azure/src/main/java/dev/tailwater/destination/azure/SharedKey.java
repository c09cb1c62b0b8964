package dev.tailwater.destination.azure;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of requests by an account's key. Thread-safe; the key never leaves this object.
 *
 * @see <a
 *     href="https://learn.microsoft.com/en-us/rest/api/storageservices/authorize-with-shared-key">Authorize
 *     with Shared Key</a>
 */
final class SharedKey {
  private static final String HMAC = "HmacSHA256";

  /** The headers that a signature has without their names, in this order. */
  private static final List<String> STANDARD =
      List.of(
          "content-encoding",
          "content-language",
          "content-length",
          "content-md5",
          "content-type",
          "date",
          "if-modified-since",
          "if-match",
          "if-none-match",
          "if-unmodified-since",
          "range");

  private final String account;
  private final SecretKeySpec key;

  private SharedKey(String account, SecretKeySpec key) {
    this.account = account;
    this.key = key;
  }

  /**
   * Reads a key as the portal shows it.
   *
   * @throws IllegalArgumentException the text is not a key in base 64; the message does not show it
   */
  static SharedKey of(String account, String base64) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("it is not in base 64");
    }
    if (bytes.length == 0) {
      throw new IllegalArgumentException("it is empty");
    }
    return new SharedKey(account, new SecretKeySpec(bytes, HMAC));
  }

  /**
   * Returns the value of the {@code Authorization} header.
   *
   * @param headers all that the signature covers, names in lower case; a content-length of 0 is
   *     left out
   * @param path of the request, as it is sent
   * @param query decoded
   */
  String authorization(
      String method, Map<String, String> headers, String path, Map<String, String> query) {
    String text = stringToSign(method, headers, path, query);
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return "SharedKey " + account + ":" + Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(HMAC, e);
    }
  }

  private String stringToSign(
      String method, Map<String, String> headers, String path, Map<String, String> query) {
    StringBuilder text = new StringBuilder(method).append('\n');
    for (String name : STANDARD) {
      text.append(headers.getOrDefault(name, "")).append('\n');
    }
    new TreeMap<>(headers)
        .forEach(
            (name, value) -> {
              if (name.startsWith("x-ms-")) {
                text.append(name).append(':').append(value).append('\n');
              }
            });
    text.append('/').append(account).append(path);
    TreeMap<String, String> sorted = new TreeMap<>();
    query.forEach((name, value) -> sorted.put(name.toLowerCase(Locale.ROOT), value));
    sorted.forEach((name, value) -> text.append('\n').append(name).append(':').append(value));
    return text.toString();
  }

  /** Returns the path of a request to which a signature applies. */
  static String signedPath(URI uri) {
    String path = uri.getRawPath();
    return path.isEmpty() ? "/" : path;
  }
}
