package dev.tailwater.destination.cloud;

import java.io.IOException;

/**
 * An answer that has the status of a success, but is not what the store answers to such a request.
 * Often it comes from something between, such as a proxy or the login page of a network, and the
 * store has not seen the request.
 */
public final class UnexpectedAnswerException extends IOException {
  /** How many bytes of an answer are shown. */
  public static final int SHOWN_BYTES = 120;

  /**
   * @param problem what is wrong with the answer, such as "has no ETag"
   * @param begin the first bytes of its body, which may be of anybody
   */
  public UnexpectedAnswerException(int status, String problem, byte[] begin) {
    super("the answer (HTTP " + status + ") " + problem + shown(begin));
  }

  private static String shown(byte[] begin) {
    if (begin.length == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder("; it begins with \"");
    for (int i = 0; i < Math.min(begin.length, SHOWN_BYTES); i++) {
      char one = (char) (begin[i] & 0xFF);
      if (one == '"' || one == '\\') {
        text.append('\\').append(one);
      } else if (one >= ' ' && one <= '~') {
        text.append(one);
      } else {
        text.append("\\x%02x".formatted((int) one));
      }
    }
    return text.append('"').toString();
  }
}
