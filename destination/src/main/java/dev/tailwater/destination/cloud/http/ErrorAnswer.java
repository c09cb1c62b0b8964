package dev.tailwater.destination.cloud.http;

/**
 * An answer that refuses a request.
 *
 * @param status of HTTP
 * @param code the server's name of the error; empty if there is none
 * @param message what the server says; empty if it says nothing
 * @param requestId by which the server's operator finds the request; may be empty
 */
public record ErrorAnswer(int status, String code, String message, String requestId) {
  private static final int MAX_CHARS = 400;

  public ErrorAnswer {
    code = shortened(code);
    message = shortened(message);
    requestId = shortened(requestId);
  }

  private static String shortened(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    return line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS) + "...";
  }

  /** Returns the answer for people: {@code HTTP 403 forbidden: ... (request 1)}. */
  public String text() {
    return "HTTP "
        + status
        + (code.isEmpty() ? "" : " " + code)
        + (message.isEmpty() ? "" : ": " + message)
        + (requestId.isEmpty() ? "" : " (request " + requestId + ")");
  }
}
