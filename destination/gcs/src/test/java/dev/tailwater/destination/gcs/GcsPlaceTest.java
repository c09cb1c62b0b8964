package dev.tailwater.destination.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.Retention;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the parser for URIs. */
class GcsPlaceTest {
  private static GcsPlace place(String uri) throws UnknownDestinationException {
    return GcsPlace.parse(URI.create(uri));
  }

  @Test
  void readsBucketPrefixAndOptions() throws UnknownDestinationException {
    GcsPlace place =
        place(
            "gs://logs/web/a%20b/?storage-class=NEARLINE&user-project=payer&metadata=team:web"
                + "&kms-key=projects/p/locations/l/keyRings/r/cryptoKeys/k");
    assertEquals("logs", place.bucket());
    assertEquals("web/a b/", place.place().prefix());
    assertEquals(URI.create("https://storage.googleapis.com"), place.endpoint());
    assertEquals(Optional.of("NEARLINE"), place.storageClass());
    assertEquals(Optional.of("payer"), place.userProject());
    assertEquals(Optional.of("projects/p/locations/l/keyRings/r/cryptoKeys/k"), place.kmsKey());
    assertEquals(Map.of("team", "web"), place.metadata());
    assertEquals("", place("gs://logs").place().prefix());
  }

  @Test
  void retainsSegmentsForTheDaysOfTheOption() throws UnknownDestinationException {
    GcsPlace place = place("gs://logs?retain=30d&retain-mode=locked");
    assertEquals(Optional.of(new Retention(30, true)), place.retention());
    assertTrue(place.place().retains());
    assertFalse(place("gs://logs").place().retains());
    String attributes =
        GcsJson.attributes(
            "a",
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.of(
                GcsJson.retention(
                    new Retention(1, false), Instant.parse("2026-11-23T10:00:00.5Z"))));
    assertEquals(
        "{\"name\":\"a\",\"retention\":{\"mode\":\"Unlocked\","
            + "\"retainUntilTime\":\"2026-11-24T10:00:00Z\"}}",
        attributes);
  }

  @Test
  void hasOneSpelling() throws Exception {
    URI canonical = new GcsProvider().canonical(URI.create("gs://logs/web/?metadata=a:b,c:d"));
    assertEquals("gs://logs/web?metadata=a%3Ab%2Cc%3Ad", canonical.toString());
    assertEquals(canonical, new GcsProvider().canonical(canonical));
  }

  @Test
  void needsNoCredentialsOnLoopbackAlone() throws UnknownDestinationException {
    assertTrue(place("gs://logs").needsCredentials());
    assertTrue(place("gs://logs?endpoint=https://gcs.example.com").needsCredentials());
    for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
      assertFalse(place("gs://logs?endpoint=http://" + host + ":4443").needsCredentials());
    }
  }

  @Test
  void refusesWhatItCannotMeanWithoutRepeatingIt() {
    for (String uri :
        List.of(
            "gs:///prefix",
            "gs:bucket",
            "gs://Se3ret",
            "gs://b:80/x",
            "gs://key:Se3ret@bucket",
            "gs://bucket/a//b",
            "gs://bucket/a/../b",
            "gs://bucket/.tailwater-tmp",
            "gs://bucket?endpoint=http://Se3ret.example.com",
            "gs://bucket?endpoint=http://127.0.0.1.Se3ret.example.com",
            "gs://bucket?endpoint=https://user:Se3ret@x",
            "gs://bucket?endpoint=https://Se3ret.example.com:99999",
            "gs://bucket?endpoint=https://x/?token=Se3ret",
            "gs://bucket?storage-class=Se3ret%20",
            "gs://bucket?kms-key=Se3ret",
            "gs://bucket?user-project=Se3ret%0A",
            "gs://bucket?metadata=Se3ret",
            "gs://bucket?metadata=a:Se3ret,a:b",
            "gs://bucket?metadata=a:Se3ret%0D%0Ax",
            "gs://bucket?retain=Se3ret",
            "gs://bucket?retain-mode=locked",
            "gs://bucket?retain=1d&retain-mode=Se3ret",
            "gs://bucket?secret=Se3ret")) {
      UnknownDestinationException e =
          assertThrows(UnknownDestinationException.class, () -> place(uri), uri);
      assertFalse((e.getMessage() + e.hint()).contains("Se3ret"), e.getMessage());
      assertFalse(e.hint().isBlank());
      assertThrows(
          UnknownDestinationException.class, () -> new GcsProvider().check(URI.create(uri)), uri);
    }
  }
}
