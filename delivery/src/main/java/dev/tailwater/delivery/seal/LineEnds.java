package dev.tailwater.delivery.seal;

/**
 * Where a block of a file that consists of lines is to be cut, so that the segment ends after a
 * newline.
 */
final class LineEnds {
  /** A line that is longer than this is cut anywhere. */
  static final int LONGEST_LINE_BYTES = 256 * 1024;

  private LineEnds() {}

  /**
   * Returns how many bytes of a block end after a newline; 0 when there is none within its last
   * {@value #LONGEST_LINE_BYTES} bytes.
   */
  static int lastLineEnd(byte[] bytes, int from, int lengthBytes) {
    int least = Math.max(0, lengthBytes - LONGEST_LINE_BYTES);
    for (int length = lengthBytes; length > least; length--) {
      if (bytes[from + length - 1] == '\n') {
        return length;
      }
    }
    return 0;
  }
}
