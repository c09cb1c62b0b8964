package dev.tailwater.delivery.source;

import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Texts of paths as globs are compared with them. */
final class GlobText {
  private static final char REPLACEMENT = '\ufffd';

  /** Characters for private use, which stand for line terminators. */
  private static final char FIRST_STAND_IN = '\uf000';

  private static final String LINE_TERMINATORS = "\n\r\u0085\u2028\u2029";

  private GlobText() {}

  /** Returns the text of a path, in which each byte that is not UTF-8 is one character. */
  static String of(PosixPath path) {
    String text = path.decoded();
    return text.indexOf(REPLACEMENT) < 0 ? text : decoded(path.toBytes());
  }

  /** Decodes UTF-8; {@link String} may put one character in the place of several bytes. */
  private static String decoded(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer from = ByteBuffer.wrap(bytes);
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(from, text, true);
    while (result.isError()) {
      for (int left = result.length(); left > 0; left--) {
        from.get();
        text.put(REPLACEMENT);
      }
      result = decoder.decode(from, text, true);
    }
    return text.flip().toString();
  }

  /**
   * Returns the text or glob with another character for each line terminator; the same text if it
   * has none. The JDK's {@code **} matches all characters but these.
   */
  static String withoutLineTerminators(String text) {
    StringBuilder changed = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      int terminator = LINE_TERMINATORS.indexOf(text.charAt(i));
      if (terminator >= 0) {
        changed.setCharAt(i, (char) (FIRST_STAND_IN + terminator));
      }
    }
    return changed.toString();
  }

  static boolean hasLineTerminator(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (LINE_TERMINATORS.indexOf(text.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }
}
