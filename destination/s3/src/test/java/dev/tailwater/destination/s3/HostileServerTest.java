package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.cloud.TimeLimits;
import dev.tailwater.destination.testkit.HostileServer;
import dev.tailwater.destination.testkit.HostileServers;
import dev.tailwater.destination.testkit.StoreRequests;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class HostileServerTest extends HostileServers {
  private static final StoreRequests REQUESTS = new StoreRequests(S3Store.PART_BYTES);

  HostileServerTest() {
    super(REQUESTS);
  }

  @BeforeEach
  void giveCredentials() {
    System.setProperty("aws.accessKeyId", S3Server.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", S3Server.SECRET_KEY);
  }

  @Override
  protected Destination open(HostileServer server, TimeLimits limits) throws IOException {
    S3Place place =
        S3Place.parse(URI.create(S3Server.uri(server.uri(), "bucket/archive", Map.of())));
    return S3Provider.open(place, OpenIntent.WRITE, limits, InstantSource.system());
  }

  private static String page(String contents, String token) {
    return "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>"
        + token
        + "</NextContinuationToken>"
        + contents
        + "</ListBucketResult>";
  }

  private static String object(String key) {
    return "<Contents><Key>" + key + "</Key><Size>1</Size></Contents>";
  }

  @Test
  void anAnswerToAListThatNeverEndsIsRefused() throws IOException {
    for (String endless : new String[] {"x", "<a>", object("archive/a"), " "}) {
      try (HostileServer server =
              new HostileServer(
                  (target, out) -> {
                    out.head(200, CHUNKED).text("12\r\n<ListBucketResult>\r\n");
                    out.endless(endless);
                  });
          Destination place = open(server, TimeLimits.STANDARD)) {
        listFails(place);
        assertTrue(server.sentBytes() < MOST_TAKEN_BYTES, server.sentBytes() + " of " + endless);
      }
    }
  }

  @Test
  void anErrorThatIsExplainedForEverIsAnError() throws IOException {
    for (int status : new int[] {403, 500}) {
      try (HostileServer server =
              new HostileServer(
                  (target, out) -> {
                    out.head(status, CHUNKED).text("7\r\n<Error>\r\n");
                    out.endless("x");
                  });
          Destination place = open(server, TimeLimits.STANDARD)) {
        assertThrows(
            DestinationException.class, () -> place.putSegment("a", ByteBuffer.wrap(new byte[1])));
        assertThrows(DestinationException.class, () -> place.read("a", 0, 10));
        assertThrows(DestinationException.class, () -> place.delete("a"));
        listFails(place);
        assertTrue(server.sentBytes() < 8 * MOST_TAKEN_BYTES, server.sentBytes() + " bytes");
      }
    }
  }

  @Test
  void aLongExplanationIsCut() throws IOException {
    String error = "<Error><Code>E</Code><Message>" + "x".repeat(100_000) + "</Message></Error>";
    try (HostileServer server =
            new HostileServer(
                (target, out) ->
                    out.head(
                            403,
                            "Content-Type: application/xml",
                            "x-amz-request-id: " + "1".repeat(5_000),
                            "Content-Length: " + error.length())
                        .text(error));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e = listFails(place);
      assertTrue(e.reason().startsWith("HTTP 403 E: xxx"), e.reason());
      assertTrue(e.reason().length() < 1000, e.reason().length() + " characters");
    }
  }

  @Test
  void aListThatRepeatsItselfIsRefused() throws IOException {
    String foreign = object("archive/.tailwater-tmp/x") + object("archive/.tailwater-tmp/y");
    try (HostileServer server = new HostileServer((target, out) -> out.all(page(foreign, "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      DestinationException e = listFails(place);
      assertTrue(e.getMessage().contains("does not ascend"), e.getMessage());
      assertTrue(e.permanent());
    }
    try (HostileServer server =
            new HostileServer(
                (target, out) -> out.all(page(object("archive/b") + object("archive/a"), "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(listFails(place) instanceof PermanentDestinationException);
    }
    try (HostileServer server =
            new HostileServer((target, out) -> out.all(page(object("archive/a"), "t")));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(place.list("", Optional.empty(), 10).more());
      assertThrows(PermanentDestinationException.class, () -> place.list("", Optional.of("a"), 10));
    }
  }

  @Test
  void aListOfEmptyPagesComesToAnEnd() throws IOException {
    AtomicInteger pages = new AtomicInteger();
    try (HostileServer server =
            new HostileServer(
                (target, out) -> out.all(page("", "token" + pages.incrementAndGet())));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(listFails(place).permanent());
    }
    assertTrue(pages.get() > 2, "a few may be empty");
  }

  private static final String TWO_LINES = "<html><body>Welcome to the hotel\"\n</body></html>";

  private static TransientDestinationException isNotTaken(String request, Executable call) {
    TransientDestinationException e = StoreRequests.assertNotTaken(request, call);
    assertTrue(e.getMessage().contains("the answer (HTTP 200)"), request + ": " + e.getMessage());
    assertTrue(e.hint().contains("proxy"), request + ": " + e.hint());
    return e;
  }

  @Test
  void aPageOfAProxyIsShownInOneLine() throws IOException {
    for (String[] headers :
        new String[][] {
          {"Content-Type: text/html"}, {"Content-Type: text/html; charset=utf-8", "ETag: \"page\""},
        }) {
      try (HostileServer server = new HostileServer(StoreRequests.successWith(TWO_LINES, headers));
          Destination place = open(server, TimeLimits.STANDARD)) {
        REQUESTS
            .to(place)
            .forEach(
                (request, call) -> {
                  String message = String.valueOf(isNotTaken(request, call).getMessage());
                  assertTrue(message.contains("Welcome to the hotel\\\"\\x0a"), message);
                  assertFalse(message.contains("SDK Attempt"), message);
                });
      }
    }
  }

  @Test
  void aPageThatIsShownIsShortened() throws IOException {
    try (HostileServer server =
            new HostileServer(StoreRequests.successWith("<html>" + "x".repeat(100_000)));
        Destination place = open(server, TimeLimits.STANDARD)) {
      for (String request : new String[] {"list", "put", "replace", "delete", "parts"}) {
        int length =
            String.valueOf(isNotTaken(request, REQUESTS.to(place, request)).getMessage()).length();
        assertTrue(length < 400, request + ": " + length);
      }
    }
  }

  @Test
  void anEmptyAnswerIsNoneToARequestThatAsksForMore() throws IOException {
    try (HostileServer server = new HostileServer(StoreRequests.successWith(""));
        Destination place = open(server, TimeLimits.STANDARD)) {
      for (String request : new String[] {"list", "put", "replace", "parts"}) {
        isNotTaken(request, REQUESTS.to(place, request));
      }
      place.delete("a");
    }
  }

  @Test
  void anAnswerOfAnotherKindIsNoList() throws IOException {
    for (String body :
        new String[] {
          "{\"status\":\"ok\"}",
          "<?xml version=\"1.0\"?><ListAllMyBucketsResult/>",
          "<ListBucketResult></ListBucketResult>",
          "<!doctype html><html><p>x</html>",
          "<html><ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult></html>",
          " ".repeat(100_000),
        }) {
      try (HostileServer server = new HostileServer(StoreRequests.successWith(body));
          Destination place = open(server, TimeLimits.STANDARD)) {
        isNotTaken(body, REQUESTS.to(place, "list"));
      }
    }
  }

  @Test
  void anErrorWithTheStatusOfASuccessIsAnError() throws IOException {
    String error = "<?xml version=\"1.0\"?><Error><Code>InternalError</Code></Error>";
    try (HostileServer server =
            new HostileServer(StoreRequests.successWith(error, "Content-Type: application/xml"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      for (String request : new String[] {"list", "put", "replace", "delete", "parts"}) {
        assertThrows(TransientDestinationException.class, REQUESTS.to(place, request), request);
      }
    }
  }

  @Test
  void aListMayBeginWithWhatPrecedesADocument() throws IOException {
    for (String begin :
        new String[] {
          "\u00EF\u00BB\u00BF<?xml version=\"1.0\"?>\n",
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- > -->\n",
          "<?xml version=\"1.0\"?>" + " ".repeat(100_000)
        }) {
      String list = "<ListBucketResult xmlns=\"x\"><IsTruncated>false</IsTruncated>";
      try (HostileServer server =
              new HostileServer(
                  StoreRequests.successWith(
                      begin + list + object("archive/a") + "</ListBucketResult>"));
          Destination place = open(server, TimeLimits.STANDARD)) {
        assertEquals(1, place.list("", Optional.empty(), 1000).entries().size(), begin);
      }
    }
  }

  @Test
  void aListThatGoesOnWithoutATokenGoesOnBehindItsLastName() throws IOException {
    try (HostileServer server =
            new HostileServer(
                (target, out) ->
                    out.all(
                        "<ListBucketResult><IsTruncated>"
                            + !target.contains("start-after")
                            + "</IsTruncated>"
                            + object(target.contains("start-after") ? "archive/b" : "archive/a")
                            + "</ListBucketResult>"));
        Destination place = open(server, TimeLimits.STANDARD)) {
      assertTrue(place.list("", Optional.empty(), 10).more());
      assertEquals("b", place.list("", Optional.of("a"), 10).entries().getFirst().key());
    }
  }

  @Test
  void aPutWhoseChecksumComesBackAsAnotherIsNotTaken() throws IOException {
    try (HostileServer server =
            new HostileServer(
                StoreRequests.successWith("", "ETag: \"1\"", "x-amz-checksum-crc32c: AAAAAA=="));
        Destination place = open(server, TimeLimits.STANDARD)) {
      isNotTaken("put", () -> place.putSegment("a", ByteBuffer.wrap(new byte[1])));
      isNotTaken("replace", () -> place.putObject("a", new byte[1]));
    }
  }

  /** Answers the first requests of an upload as S3 does. */
  private static HostileServer.Answer uploadThatFails(String step) {
    return (target, out) -> {
      String id = "<UploadId>u</UploadId>";
      if (target.contains("partNumber")) {
        out.head(200, "Content-Length: 0", step.equals("part") ? "X: y" : "ETag: \"1\"");
      } else if (target.contains("create-only")) {
        out.head(412, "Content-Length: 0");
      } else if (target.contains("uploadId")) {
        out.all(step.equals("error") ? "<Error><Code>SlowDown</Code></Error>" : PAGE);
      } else if (target.contains("uploads") && !target.contains("prefix")) {
        out.all(
            "<InitiateMultipartUploadResult>"
                + (step.equals("id") ? "" : id)
                + "</InitiateMultipartUploadResult>");
      } else if (target.contains("uploads")) {
        out.all(
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>"
                + "</ListMultipartUploadsResult>");
      } else {
        out.head(404, "Content-Length: 0"); // The object is not there yet.
      }
    };
  }

  @Test
  void noStepOfAnUploadTakesAnotherAnswer() throws IOException {
    for (String step : new String[] {"id", "part", "complete", "error"}) {
      try (HostileServer server = new HostileServer(uploadThatFails(step));
          Destination place = open(server, TimeLimits.STANDARD)) {
        assertThrows(
            TransientDestinationException.class, () -> REQUESTS.longUpload(place).commit(), step);
      }
    }
  }

  @Test
  void aPageInReplyToTheCheckBeforeAPutIsNoObjectThatExists() throws IOException {
    for (String header : new String[] {"X: y", "Content-Type: text/html", "Content-Length: 9"}) {
      try (HostileServer server = new HostileServer((target, out) -> out.head(200, header));
          Destination place =
              S3Provider.open(
                  S3Place.parse(
                      URI.create(
                          S3Server.uri(
                              server.uri(), "bucket/archive", Map.of("create-only", "check")))),
                  OpenIntent.WRITE,
                  TimeLimits.STANDARD,
                  InstantSource.system())) {
        isNotTaken(header, () -> place.putSegment("a", ByteBuffer.wrap(new byte[1])));
      }
    }
  }
}
