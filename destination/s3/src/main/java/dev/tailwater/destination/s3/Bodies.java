package dev.tailwater.destination.s3;

import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.http.Abortable;

/** Helper methods for closing the bodies of answers. */
final class Bodies {
  /** The number of unread bytes up to which reading them is cheaper than a new connection. */
  static final long CHEAP_BYTES = 64 << 10;

  private Bodies() {}

  /**
   * Closes a body. Reads the rest if it is short, so that the connection can be used again;
   * otherwise aborts the connection.
   */
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
