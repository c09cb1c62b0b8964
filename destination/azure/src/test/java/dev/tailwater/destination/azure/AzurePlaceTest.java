package dev.tailwater.destination.azure;

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
import org.junit.jupiter.api.Test;

/** Tests of the parser for URIs. */
class AzurePlaceTest {
  private static AzurePlace place(String uri) throws UnknownDestinationException {
    return AzurePlace.parse(URI.create(uri));
  }

  @Test
  void readsAccountContainerPrefixAndOptions() throws UnknownDestinationException {
    AzurePlace place =
        place(
            "az://logs/my-app/web/a%20b/?access-tier=Cool&encryption-scope=scope-1"
                + "&metadata=team:web&tags=cost%20center:a/b&retain=7d");
    assertEquals("logs", place.account());
    assertEquals("my-app", place.container());
    assertEquals("web/a b/", place.place().prefix());
    assertEquals(URI.create("https://logs.blob.core.windows.net"), place.endpoint());
    assertEquals(Optional.of("Cool"), place.accessTier());
    assertEquals(Optional.of("scope-1"), place.encryptionScope());
    assertEquals(Map.of("team", "web"), place.metadata());
    assertEquals(Map.of("cost center", "a/b"), place.tags());
    assertEquals(Optional.of(new Retention(7, false)), place.retention());
    assertTrue(place.place().retains());
    assertEquals("", place("az://logs/app").place().prefix());
    assertEquals("", place("az://logs/app/").place().prefix());
  }

  @Test
  void theAccountIsInTheHostOrElseInThePath() throws UnknownDestinationException {
    assertEquals(
        URI.create("http://127.0.0.1:10000/logs"),
        place("az://logs/app?endpoint=http://127.0.0.1:10000/").endpoint());
    assertEquals(
        URI.create("https://logs.blob.core.chinacloudapi.cn"),
        place("az://logs/app?endpoint=https://logs.blob.core.chinacloudapi.cn").endpoint());
    assertTrue(place("az://logs/app?endpoint=http://127.0.0.1:10000").isOnLoopback());
    assertFalse(place("az://logs/app").isOnLoopback());
  }

  @Test
  void hasOneSpelling() throws Exception {
    URI canonical = new AzureProvider().canonical(URI.create("az://logs/app/web/?metadata=a:b"));
    assertEquals("az://logs/app/web?metadata=a%3Ab", canonical.toString());
    assertEquals(canonical, new AzureProvider().canonical(canonical));
  }

  @Test
  void refusesWhatItCannotMeanWithoutRepeatingIt() {
    for (String uri :
        List.of(
            "az:///container",
            "az:account",
            "az://account",
            "az://account/",
            "az://Se3ret/container",
            "az://account/Se3ret",
            "az://account/ab",
            "az://account/a--b",
            "az://account/container-",
            "az://key:Se3ret@account/container",
            "az://account/container/a//b",
            "az://account/container/../b",
            "az://account/container/.tailwater-tmp",
            "az://account/container?endpoint=http://Se3ret.example.com",
            "az://account/container?endpoint=https://Se3ret.example.com:99999",
            "az://account/container?endpoint=https://x/?sig=Se3ret",
            "az://account/container?access-tier=Archive",
            "az://account/container?access-tier=Se3ret",
            "az://account/container?encryption-scope=Se3ret%20",
            "az://account/container?metadata=Se3ret",
            "az://account/container?metadata=a-b:Se3ret",
            "az://account/container?tags=Se3ret",
            "az://account/container?retain=Se3ret",
            "az://account/container?retain-mode=locked",
            "az://account/container?sig=Se3ret")) {
      UnknownDestinationException e =
          assertThrows(UnknownDestinationException.class, () -> place(uri), uri);
      assertFalse((e.getMessage() + e.hint()).contains("Se3ret"), e.getMessage());
      assertFalse(e.hint().isBlank());
      assertThrows(
          UnknownDestinationException.class, () -> new AzureProvider().check(URI.create(uri)), uri);
    }
  }
}
