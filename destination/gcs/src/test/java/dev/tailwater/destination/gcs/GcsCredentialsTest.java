package dev.tailwater.destination.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.cloud.http.MissingCredentialsException;
import dev.tailwater.destination.testkit.HostileServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of where credentials come from. */
class GcsCredentialsTest {
  private static final URI ANY = URI.create("https://storage.googleapis.com/x");

  @TempDir private Path directory;

  private GcsCredentials with(Map<String, String> variables) {
    return new GcsCredentials(
        true,
        name -> Optional.ofNullable(variables.get(name)),
        directory.resolve("home"),
        directory.resolve("root"));
  }

  private static String serviceAccount(URI tokenServer) throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    String key =
        Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(keys.generateKeyPair().getPrivate().getEncoded())
            .replace("\n", "\\n");
    return """
    {"type": "service_account", "project_id": "p", "private_key_id": "1",
     "client_email": "agent@p.iam.gserviceaccount.com", "client_id": "2",
     "private_key": "-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n",
     "token_uri": "%s"}
    """
        .formatted(key, tokenServer);
  }

  private static HostileServer tokenServer() throws IOException {
    return new HostileServer(
        (target, out) -> {
          String token =
              "{\"access_token\":\"t0ken\",\"expires_in\":3600,\"token_type\":\"Bearer\"}";
          out.head(200, "Content-Type: application/json", "Content-Length: " + token.length())
              .text(token);
        });
  }

  @Test
  void aKeyFileGetsATokenOfItsServer() throws Exception {
    try (HostileServer server = tokenServer()) {
      Path named = Files.writeString(directory.resolve("key.json"), serviceAccount(server.uri()));
      Map<String, List<String>> headers =
          with(Map.of("GOOGLE_APPLICATION_CREDENTIALS", named.toString())).headers(ANY);
      assertEquals(List.of("Bearer t0ken"), headers.get("Authorization"));
      Path ofGcloud = directory.resolve("home/.config/gcloud/application_default_credentials.json");
      Files.createDirectories(ofGcloud.getParent());
      Files.copy(named, ofGcloud);
      assertEquals(List.of("Bearer t0ken"), with(Map.of()).headers(ANY).get("Authorization"));
    }
  }

  @Test
  void anInstanceIsAskedOnlyWhereTheFirmwareOrAVariableNamesGoogle() throws Exception {
    Path product = directory.resolve("root/sys/class/dmi/id/product_name");
    Files.createDirectories(product.getParent());
    Files.writeString(product, "Standard PC\n");
    MissingCredentialsException e =
        assertThrows(MissingCredentialsException.class, () -> with(Map.of()).headers(ANY));
    assertTrue(e.hint().contains("GOOGLE_APPLICATION_CREDENTIALS"), e.hint());
  }

  @Test
  void aDamagedFileIsNamedAndNotShown() throws Exception {
    Path file = Files.writeString(directory.resolve("key.json"), "{\"type\": Se3ret");
    for (Path path : List.of(file, directory.resolve("absent.json"))) {
      MissingCredentialsException e =
          assertThrows(
              MissingCredentialsException.class,
              () -> with(Map.of("GOOGLE_APPLICATION_CREDENTIALS", path.toString())).headers(ANY));
      assertTrue(String.valueOf(e.getMessage()).contains(path.toString()), e.getMessage());
      assertFalse((e.getMessage() + e.hint()).contains("Se3ret"), e.getMessage());
    }
  }
}
