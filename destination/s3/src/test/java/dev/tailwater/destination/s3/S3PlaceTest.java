package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.Retention;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Tests of the parser for URIs. */
class S3PlaceTest {
  private static S3Place place(String uri) throws UnknownDestinationException {
    return S3Place.parse(URI.create(uri));
  }

  @Test
  void readsBucketAndPrefix() throws UnknownDestinationException {
    assertEquals("", place("s3://logs").keyPrefix());
    assertEquals("", place("s3://logs/").keyPrefix());
    assertEquals("web/a b/", place("s3://logs/web/a%20b/").keyPrefix());
    assertEquals("logs", place("s3://logs/web").bucket());
    assertEquals("my_Bucket.x", place("s3://my_Bucket.x/web").bucket());
  }

  @Test
  void hasOneSpellingBeforeItIsOpen() throws Exception {
    URI written = URI.create("s3://logs/web/?kms-key=arn:aws:kms:eu-west-1:1:key/2&sse=kms");
    URI canonical = new S3Provider().canonical(written);
    assertEquals(place(written.toString()).uri(), canonical);
    assertEquals(canonical, new S3Provider().canonical(canonical));
    assertTrue(canonical.toString().startsWith("s3://logs/web?"), canonical.toString());
  }

  @Test
  void readsEveryOption() throws UnknownDestinationException {
    S3Place place =
        place(
            "s3://logs/web?storage-class=STANDARD_IA&endpoint=https%3A%2F%2Fs3.example.com%3A9000"
                + "&region=eu-west-1&sse=kms&kms-key=arn%3Aaws%3Akms%3Aeu-west-1%3A1%3Akey%2F2"
                + "&requester-pays=true&path-style=false&create-only=check&sign-bodies=true"
                + "&tags=team:web,cost%20center:a/b&retain=30d&retain-mode=compliance");
    assertEquals(Optional.of(URI.create("https://s3.example.com:9000")), place.endpoint());
    assertEquals(Optional.of("eu-west-1"), place.region());
    assertFalse(place.pathStyle());
    assertEquals(Optional.of("STANDARD_IA"), place.newObjects().storageClass());
    assertEquals(ObjectAttributes.Encryption.KMS, place.newObjects().encryption());
    assertEquals(Optional.of("arn:aws:kms:eu-west-1:1:key/2"), place.newObjects().kmsKey());
    assertTrue(place.requesterPays());
    assertEquals(S3Place.CreateOnlyMode.CHECK, place.createOnly());
    assertTrue(place.signsBodies());
    assertEquals(Map.of("team", "web", "cost center", "a/b"), place.newObjects().tags());
    assertEquals(Optional.of(new Retention(30, true)), place.newObjects().retention());
  }

  @Test
  void thePathHasTheBucketWhereThereIsAnEndpoint() throws UnknownDestinationException {
    assertFalse(place("s3://logs").pathStyle());
    assertTrue(place("s3://logs?endpoint=http://127.0.0.1:9000").pathStyle());
    assertTrue(place("s3://logs?path-style=true").pathStyle());
  }

  @Test
  void saysOfItselfTheSameInOneSpelling() throws UnknownDestinationException {
    String uri = "s3://logs/web/a%20b?endpoint=http%3A%2F%2Fx%3A1&region=eu-west-1";
    assertEquals(uri, place(uri).uri().toString());
    assertEquals(
        uri, place("s3://logs/web/a%20b/?region=eu-west-1&endpoint=http://x:1").uri().toString());
    assertEquals(URI.create("s3://logs"), place("s3://logs/").uri());
  }

  @Test
  void refusesWhatItCannotMeanWithoutRepeatingIt() {
    for (String uri :
        List.of(
            "s3:///prefix",
            "s3:bucket",
            "s3://-Se3ret",
            "s3://b:80/x",
            "s3://key:Se3ret@bucket",
            "s3://bucket/a//b",
            "s3://bucket/a/../b",
            "s3://bucket/.tailwater-tmp",
            "s3://bucket?endpoint=ftp://Se3ret",
            "s3://bucket?endpoint=http://user:Se3ret@x",
            "s3://bucket?endpoint=Se3ret",
            "s3://bucket?endpoint=https://Se3ret.example.com:99999",
            "s3://bucket?endpoint=https://x/?token=Se3ret",
            "s3://bucket?endpoint=https://x/%23Se3ret",
            "s3://bucket?region=Se3ret%20",
            "s3://bucket?sse=Se3ret",
            "s3://bucket?kms-key=Se3ret",
            "s3://bucket?sse=s3&kms-key=Se3ret",
            "s3://bucket?create-only=Se3ret",
            "s3://bucket?path-style=Se3ret",
            "s3://bucket?sign-bodies=Se3ret",
            "s3://bucket?tags=Se3ret",
            "s3://bucket?tags=a:Se3ret,a:Se3ret",
            "s3://bucket?tags=a:%7BSe3ret",
            "s3://bucket?tags=1:,2:,3:,4:,5:,6:,7:,8:,9:,10:,11:Se3ret",
            "s3://bucket?retain=Se3ret",
            "s3://bucket?retain=0d",
            "s3://bucket?retain=36501d",
            "s3://bucket?retain-mode=governance",
            "s3://bucket?retain=1d&retain-mode=Se3ret",
            "s3://bucket?secret=Se3ret")) {
      UnknownDestinationException e =
          assertThrows(UnknownDestinationException.class, () -> place(uri), uri);
      assertFalse((e.getMessage() + e.hint()).contains("Se3ret"), e.getMessage());
      assertFalse(e.hint().isBlank());
      assertThrows(
          UnknownDestinationException.class, () -> new S3Provider().check(URI.create(uri)), uri);
    }
  }

  @Test
  void refusesGoogleWhereCreateOnlyWouldReplace() {
    for (String host : List.of("storage.googleapis.com", "bucket.Storage.googleapis.com:443")) {
      String uri = "s3://bucket/prefix?endpoint=https://" + host;
      UnknownDestinationException e =
          assertThrows(UnknownDestinationException.class, () -> place(uri));
      assertTrue(e.getMessage().contains("If-None-Match"), e.getMessage());
      assertTrue(e.hint().contains("gs://"), e.hint());
    }
  }

  private static AwsSettings settings(Map<String, String> variables) {
    return new AwsSettings(variables, new Properties());
  }

  @Test
  void refusesGoogleWhereASettingOfTheSdkNamesItToo() throws UnknownDestinationException {
    AwsSettings google = settings(Map.of("AWS_ENDPOINT_URL", "https://storage.googleapis.com"));
    UnknownDestinationException e =
        assertThrows(
            UnknownDestinationException.class, () -> place("s3://bucket").checkWith(google));
    assertTrue(e.hint().contains("gs://"), e.hint());
    place("s3://bucket?endpoint=http://127.0.0.1:1").checkWith(google);
    place("s3://bucket")
        .checkWith(
            settings(
                Map.of(
                    "AWS_ENDPOINT_URL_S3",
                    "https://s3.example.com",
                    "AWS_ENDPOINT_URL",
                    "https://storage.googleapis.com")));
  }

  @Test
  void anEmptySettingCountsAsUnset() {
    assertEquals(Optional.empty(), settings(Map.of("AWS_REGION", "")).region());
    assertEquals(Optional.empty(), settings(Map.of("AWS_ENDPOINT_URL", " ")).endpoint());
    assertEquals(Optional.of("eu-west-1"), settings(Map.of("AWS_REGION", "eu-west-1")).region());
  }
}
