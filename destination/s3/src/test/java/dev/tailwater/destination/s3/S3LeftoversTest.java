package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.HostileServer;
import dev.tailwater.destination.testkit.StoreRequests;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of lists of unfinished uploads that are wrong. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class S3LeftoversTest {
  private final AtomicInteger pages = new AtomicInteger();

  @BeforeEach
  void giveCredentials() {
    System.setProperty("aws.accessKeyId", S3Server.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", S3Server.SECRET_KEY);
  }

  /** Begins an upload at a server that answers no request but those for these pages. */
  private TransientDestinationException begin(IntFunction<String> page) throws IOException {
    pages.set(0);
    try (HostileServer server =
            new HostileServer(
                (target, out) -> {
                  if (target.contains("uploads") && target.contains("prefix")) {
                    out.all(
                        "<ListMultipartUploadsResult>"
                            + page.apply(pages.getAndIncrement())
                            + "</ListMultipartUploadsResult>");
                  } else {
                    out.head(500, "Content-Length: 0");
                  }
                });
        Destination place = open(server)) {
      return assertThrows(
          TransientDestinationException.class,
          () -> new StoreRequests(S3Store.PART_BYTES).longUpload(place));
    }
  }

  private static Destination open(HostileServer server) throws DestinationException {
    Map<String, String> told = Map.of("create-only", "if-none-match");
    return S3Provider.open(
        S3Place.parse(URI.create(S3Server.uri(server.uri(), "bucket/archive", told))),
        OpenIntent.WRITE,
        TimeLimits.STANDARD,
        InstantSource.system());
  }

  private static String more(String key, String id) {
    return "<IsTruncated>true</IsTruncated><NextKeyMarker>%s</NextKeyMarker>".formatted(key)
        + "<NextUploadIdMarker>%s</NextUploadIdMarker>".formatted(id);
  }

  @Test
  void aListThatGoesInCirclesComesToAnEnd() throws IOException {
    var _ = begin(page -> more(page % 2 == 0 ? "archive/agent/a" : "archive/agent/b", "1"));
    assertEquals(3, pages.get(), "a, b, and a again");
    var _ = begin(page -> more("archive/agent/a", "" + page % 2));
    assertEquals(3, pages.get(), "the ids of one key");
  }

  @Test
  void theUploadsOfOneKeyMayTakeManyPagesButNotWithoutEnd() throws IOException {
    var _ = begin(page -> more("archive/agent/a", "" + -page));
    assertEquals(1000, pages.get());
  }

  @Test
  void anUploadWithoutKeyOrIdIsNoAnswerOfS3() throws IOException {
    for (String part : new String[] {"<Key>archive/agent/a</Key>", "<UploadId>1</UploadId>"}) {
      String upload =
          "<Upload>%s<Initiated>2020-01-01T00:00:00Z</Initiated></Upload>".formatted(part);
      TransientDestinationException e = begin(page -> "<IsTruncated>false</IsTruncated>" + upload);
      assertTrue(e.reason().contains("without its key or id"), e.reason());
    }
  }
}
