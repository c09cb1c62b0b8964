package dev.tailwater.destination.azure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.cloud.http.MissingCredentialsException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code Authorization} of requests, found when the first request is sent: by {@code
 * AZURE_STORAGE_KEY}, else by a token. Thread-safe.
 */
final class AzureCredentials {
  private static final String KEY = "AZURE_STORAGE_KEY";
  private static final String BEARER = "Bearer ";

  private final AzurePlace place;
  private final AzureEnvironment environment;
  private final AzureTokens tokens;

  @GuardedBy("this")
  private Optional<SharedKey> key = Optional.empty();

  AzureCredentials(AzurePlace place, AzureEnvironment environment, AzureTokens tokens) {
    this.place = place;
    this.environment = environment;
    this.tokens = tokens;
  }

  /** Returns the value of the header; the parameters are those of {@link SharedKey}. */
  String authorization(
      String method, Map<String, String> headers, String path, Map<String, String> query)
      throws IOException, InterruptedException {
    Optional<SharedKey> found = key();
    if (found.isPresent()) {
      return found.get().authorization(method, headers, path, query);
    }
    if (place.isOnLoopback()) {
      throw new MissingCredentialsException(
          KEY + " is not set, and a server on loopback gets no token",
          "Set " + KEY + " to the key of the emulator's account.");
    }
    return BEARER + tokens.get();
  }

  /** Hears of a request that the store answered with 401; a token may have been revoked. */
  void refused(String authorization) {
    if (authorization.startsWith(BEARER)) {
      tokens.refused(authorization.substring(BEARER.length()));
    }
  }

  private synchronized Optional<SharedKey> key() throws MissingCredentialsException {
    if (key.isEmpty()) {
      Optional<String> text = environment.variable(KEY);
      if (text.isPresent()) {
        try {
          key = Optional.of(SharedKey.of(place.account(), text.get()));
        } catch (IllegalArgumentException e) {
          throw new MissingCredentialsException(
              KEY + " is not a key: " + e.getMessage(),
              "Set it to a key of the account, as the portal shows it.");
        }
      }
    }
    return key;
  }
}
