package dev.tailwater.destination.gcs;

import com.google.auth.oauth2.ComputeEngineCredentials;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.cloud.http.MissingCredentialsException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The credentials of requests, found when the first request is sent. The order is that of <a
 * href="https://cloud.google.com/docs/authentication/application-default-credentials">application
 * default credentials</a>: the file of {@code GOOGLE_APPLICATION_CREDENTIALS}, the file that {@code
 * gcloud auth application-default login} writes, the service account of the instance.
 *
 * <p>An instance's metadata server answers by plain HTTP at an address that any machine on another
 * network could take, so it is asked only where the firmware says that this is Google's cloud, or
 * {@code GCE_METADATA_HOST} names it. Google's library renews tokens. Thread-safe.
 */
final class GcsCredentials {
  private static final String FILE = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String METADATA_HOST = "GCE_METADATA_HOST";
  private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
  private static final Path PRODUCT = Path.of("sys/class/dmi/id/product_name");
  private static final Path OF_GCLOUD =
      Path.of(".config", "gcloud", "application_default_credentials.json");

  private final boolean needed;
  private final Function<String, Optional<String>> environment;
  private final Path home;
  private final Path root;

  @GuardedBy("this")
  private Optional<GoogleCredentials> found = Optional.empty();

  /**
   * @param needed whether requests carry credentials at all
   * @param environment the values of variables
   * @param root of the file system
   */
  GcsCredentials(
      boolean needed, Function<String, Optional<String>> environment, Path home, Path root) {
    this.needed = needed;
    this.environment = environment;
    this.home = home;
    this.root = root;
  }

  static GcsCredentials ofTheMachine() {
    return new GcsCredentials(
        true,
        name -> Optional.ofNullable(System.getenv(name)),
        Path.of(System.getProperty("user.home", "/")),
        Path.of("/"));
  }

  static GcsCredentials none() {
    return new GcsCredentials(false, name -> Optional.empty(), Path.of("/"), Path.of("/"));
  }

  /** Returns the headers for a request; may ask a server for a token. */
  Map<String, List<String>> headers(URI uri) throws IOException {
    return needed ? find().getRequestMetadata(uri) : Map.of();
  }

  private synchronized GoogleCredentials find() throws IOException {
    if (found.isEmpty()) {
      found = Optional.of(look().createScoped(SCOPE));
    }
    return found.get();
  }

  private GoogleCredentials look() throws IOException {
    Optional<String> named = environment.apply(FILE).filter(text -> !text.isEmpty());
    if (named.isPresent()) {
      return read(Path.of(named.get()), FILE);
    }
    Path ofGcloud = home.resolve(OF_GCLOUD);
    if (Files.exists(ofGcloud)) {
      return read(ofGcloud, "gcloud");
    }
    if (environment.apply(METADATA_HOST).isPresent() || isGoogle()) {
      return ComputeEngineCredentials.create();
    }
    throw new MissingCredentialsException(
        "no credentials were found (environment, gcloud, service account of the instance)",
        "Set GOOGLE_APPLICATION_CREDENTIALS to a key file, or run gcloud auth application-default"
            + " login, or give the instance a service account; docs/guide/gcs.md.");
  }

  private boolean isGoogle() {
    try {
      return Files.readString(root.resolve(PRODUCT)).startsWith("Google");
    } catch (IOException e) {
      return false; // Hidden or not there: then a variable has to say it.
    }
  }

  private static GoogleCredentials read(Path file, String source) throws IOException {
    try (InputStream content = Files.newInputStream(file)) {
      return GoogleCredentials.fromStream(content);
    } catch (IOException | IllegalArgumentException e) {
      // The message of a parser could show what it could not parse.
      throw new MissingCredentialsException(
          "the credentials in "
              + file
              + " ("
              + source
              + ") cannot be read: "
              + e.getClass().getSimpleName(),
          "Make " + file + " a readable file of credentials, in JSON.");
    }
  }
}
