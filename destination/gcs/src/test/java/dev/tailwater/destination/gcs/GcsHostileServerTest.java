package dev.tailwater.destination.gcs;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.HostileServer;
import dev.tailwater.destination.testkit.HostileServers;
import dev.tailwater.destination.testkit.StoreRequests;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GcsHostileServerTest extends HostileServers {
  private static final StoreRequests REQUESTS = new StoreRequests(GcsStore.PART_BYTES);

  GcsHostileServerTest() {
    super(REQUESTS);
  }

  @Override
  protected Destination open(HostileServer server, TimeLimits limits) throws IOException {
    String uri = GcsServer.uri(server.uri(), "bucket/archive", Map.of());
    return GcsProvider.open(
        GcsPlace.parse(URI.create(uri)),
        OpenIntent.WRITE,
        limits,
        GcsCredentials.none(),
        GcsServer.context());
  }

  private static String page(String items, String token) {
    return "{\"nextPageToken\":\"" + token + "\",\"items\":[" + items + "]}";
  }

  private static String object(String name) {
    return "{\"name\":\"" + name + "\",\"size\":\"1\"}";
  }

  @Test
  void aListThatNeverEndsIsRefused() throws IOException {
    for (int status : new int[] {200, 403, 500}) {
      try (HostileServer server =
              new HostileServer(
                  (target, out) -> {
                    out.head(status, CHUNKED).text("a\r\n{\"items\":[\r\n");
                    out.endless(object("archive/a") + ",");
                  });
          Destination place = open(server, TimeLimits.STANDARD)) {
        listFails(place);
        assertThrows(
            DestinationException.class, () -> place.putObject("a", new byte[1]), "" + status);
        assertTrue(server.sentBytes() < 2 * MOST_TAKEN_BYTES, server.sentBytes() + " bytes");
      }
    }
  }

  @Test
  void aListThatRepeatsItselfOrNeverEndsIsRefused() throws IOException {
    String foreign = object("archive/.tailwater-tmp/x") + "," + object("archive/.tailwater-tmp/y");
    try (HostileServer server = new HostileServer((target, out) -> out.all(page(foreign, "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e = listFails(place);
      assertTrue(e.getMessage().contains("does not ascend"), e.getMessage());
      assertTrue(e.permanent());
    }
    try (HostileServer server =
            new HostileServer((target, out) -> out.all(page(object("archive/a"), "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(place.list("", Optional.empty(), 10).more());
      assertThrows(
          DestinationException.class, () -> place.list("", Optional.of("b"), 10), "ignores after");
    }
    AtomicInteger pages = new AtomicInteger();
    try (HostileServer server =
            new HostileServer((target, out) -> out.all(page("", "t" + pages.incrementAndGet())));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e = listFails(place);
      assertTrue(e.permanent());
      assertTrue(e.getMessage().contains("sent 101 empty pages in a row"), e.getMessage());
    }
    assertTrue(pages.get() > 2, "a few may be empty");
  }

  @Test
  void aPutWhoseChecksumComesBackAsAnotherIsNotTaken() throws IOException {
    String object = "{\"crc32c\":\"AAAAAA==\",\"generation\":\"1\"}";
    try (HostileServer server =
            new HostileServer(StoreRequests.successWith(object, "Content-Type: application/json"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      StoreRequests.assertNotTaken("put", REQUESTS.to(place, "put"));
      StoreRequests.assertNotTaken("replace", REQUESTS.to(place, "replace"));
    }
  }
}
