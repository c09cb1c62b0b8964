package dev.tailwater.destination.s3;

import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.http.Abortable;

/** Ends of answers. */
final class Bodies {
  /** What is left of an answer is read rather than its connection thrown away, up to this. */
  static final long CHEAP_BYTES = 64 << 10;

  private Bodies() {}

  /** Closes a body whose end is near, so that its connection is used again; aborts another. */
  static void closeOrAbort(InputStream body) throws IOException {
    if (body instanceof Abortable connection) {
      boolean ended = false;
      try {
        byte[] rest = new byte[8192];
        int count = 0;
        for (long left = CHEAP_BYTES; left > 0 && count >= 0; left -= count) {
          count = body.read(rest);
        }
        ended = count < 0;
      } finally {
        if (!ended) {
          connection.abort();
        }
      }
    }
    body.close();
  }
}
