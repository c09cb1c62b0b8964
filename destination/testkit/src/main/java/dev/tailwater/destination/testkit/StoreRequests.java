package dev.tailwater.destination.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.function.Executable;

/**
 * A request of each kind that a destination makes to an object store, by name, and answers that are
 * not the store's.
 *
 * @param partBytes a segment that is longer is put in parts
 */
public record StoreRequests(int partBytes) {
  private static final int MOST_CHARACTERS = 500;

  /** Returns all requests. */
  public Map<String, Executable> to(Destination place) {
    return Map.of(
        "list", () -> place.list("", Optional.empty(), 1000),
        "get", () -> place.read("a", 0, 10).close(),
        "get whole", () -> place.read("a", 0, Long.MAX_VALUE).close(),
        "put", () -> place.putSegment("a", ByteBuffer.wrap(new byte[1])),
        "replace", () -> place.putObject("a", new byte[1]),
        "delete", () -> place.delete("a"),
        "parts", () -> longUpload(place).commit());
  }

  /** Returns one request. */
  public Executable to(Destination place, String name) {
    return Objects.requireNonNull(to(place).get(name));
  }

  /** Begins a segment, a part of which is sent. */
  public SegmentUpload longUpload(Destination place) throws DestinationException {
    SegmentUpload upload = place.beginSegment("agent/long");
    upload.write(ByteBuffer.allocate(partBytes + 1));
    return upload;
  }

  /** Returns a success with a body and headers, in reply to every request. */
  public static HostileServer.Answer successWith(String body, String... headers) {
    return (target, out) -> {
      String[] all = new String[headers.length + 1];
      System.arraycopy(headers, 0, all, 1, headers.length);
      all[0] = "Content-Length: " + body.length();
      out.head(200, all).text(body);
    };
  }

  /** Asserts that the answer to a request counts as lost, and that the message is short. */
  public static TransientDestinationException assertNotTaken(String request, Executable call) {
    TransientDestinationException e =
        assertThrows(TransientDestinationException.class, call, request);
    String message = String.valueOf(e.getMessage());
    assertTrue(message.length() < MOST_CHARACTERS, request + ": " + message);
    return e;
  }
}
