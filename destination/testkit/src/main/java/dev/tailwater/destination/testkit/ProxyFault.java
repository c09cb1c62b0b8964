package dev.tailwater.destination.testkit;

import java.util.Map;

/** The fault of a request at a {@link FaultyHttpProxy}. */
public sealed interface ProxyFault {
  /** No fault: the request is forwarded, and its answer comes back. */
  record Forward() implements ProxyFault {}

  /** The connection is reset after the given number of bytes of the body went through. */
  record ResetInBody(long afterBytes) implements ProxyFault {}

  /**
   * The whole request is forwarded; when the server has answered, the connection is reset instead.
   */
  record LoseAnswer() implements ProxyFault {}

  /** The given number of bytes of the answer comes back, then the connection is reset. */
  record CutAnswer(long afterBytes) implements ProxyFault {}

  /** Nothing more is read, forwarded or answered until the proxy is closed. */
  record Stall() implements ProxyFault {}

  /** The lowest bit of one byte of the body is changed on the way. */
  record Corrupt(long bodyOffset) implements ProxyFault {}

  /**
   * The server never sees the request; this answer comes back, and the connection ends.
   *
   * @param text head and body of the answer, in ISO 8859-1
   */
  record Answer(String text) implements ProxyFault {
    /** Returns an answer with a JSON error as Google Cloud Storage writes it. */
    public static Answer googleError(int status, String reason, String message) {
      String body =
          """
          {"error": {"code": %d, "message": "%s", "errors": [{"reason": "%s"}]}}
          """
              .formatted(status, message, reason);
      return new Answer(
          "HTTP/1.1 "
              + status
              + " Planned\r\nContent-Type: application/json\r\nConnection: close\r\n"
              + "Content-Length: "
              + body.length()
              + "\r\n\r\n"
              + body);
    }

    /** Returns an answer with an XML error as S3 writes it. */
    public static Answer s3Error(int status, String code, Map<String, String> headers) {
      String body =
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>"
              + code
              + "</Code><Message>planned</Message><RequestId>1</RequestId></Error>";
      StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Planned\r\n");
      headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      head.append("Content-Type: application/xml\r\nConnection: close\r\nContent-Length: ")
          .append(body.length())
          .append("\r\n\r\n");
      return new Answer(head + body);
    }
  }
}
