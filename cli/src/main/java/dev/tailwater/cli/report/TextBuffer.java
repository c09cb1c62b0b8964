package dev.tailwater.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Decimals;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import java.io.PrintStream;
import java.util.Arrays;

/**
 * Text in UTF-8 that is put together from parts without a string for each of them: a long list has
 * millions. For one thread.
 */
public final class TextBuffer {
  private static final int FIRST_LENGTH = 1 << 12;

  private byte[] bytes = new byte[FIRST_LENGTH];
  private int length;

  /** How many of the bytes are not the first of their characters. */
  private int furtherBytes;

  TextBuffer() {}

  /** Appends a text of ASCII characters only, faster than any other. */
  @SuppressWarnings("deprecation") // which leaves out the upper bytes of characters: there are none
  public void ascii(String text) {
    reserve(text.length());
    text.getBytes(0, text.length(), bytes, length);
    length += text.length();
  }

  /** Appends a text. */
  public void text(String text) {
    reserve(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character >= 0x80) {
        encoded(text.getBytes(UTF_8));
        return;
      }
      bytes[length + i] = (byte) character;
    }
    length += text.length();
  }

  private void encoded(byte[] text) {
    reserve(text.length);
    for (byte b : text) {
      furtherBytes += isFurther(b) ? 1 : 0;
      bytes[length++] = b;
    }
  }

  private static boolean isFurther(byte b) {
    return (b & 0xc0) == 0x80;
  }

  /** Appends a decimal number. */
  public void number(long number) {
    reserve(Decimals.MAX_LENGTH);
    length = Decimals.write(number, bytes, length);
  }

  /** Appends a size as {@link ByteSizes#forPeople} writes it. */
  public void size(long sizeBytes) {
    reserve(ByteSizes.MAX_LENGTH_FOR_PEOPLE);
    length = ByteSizes.writeForPeople(sizeBytes, bytes, length);
  }

  /** Appends a path as {@link EscapedPath} writes it. */
  public void path(PosixPath path) {
    int pathLength = path.lengthBytes();
    reserve(pathLength);
    path.copyTo(bytes, length);
    for (int at = length; at < length + pathLength; at++) {
      if (bytes[at] < ' ' || bytes[at] > '~' || bytes[at] == '\\') {
        text(EscapedPath.of(path));
        return;
      }
    }
    length += pathLength; // Nearly all paths stand for themselves.
  }

  private void reserve(int moreBytes) {
    if (moreBytes > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + moreBytes));
    }
  }

  /** Appends spaces. */
  void spaces(int count) {
    reserve(count);
    Arrays.fill(bytes, length, length + count, (byte) ' ');
    length += count;
  }

  /** Inserts spaces before what begins at this index. */
  void insertSpaces(int at, int count) {
    reserve(count);
    System.arraycopy(bytes, at, bytes, at + count, length - at);
    Arrays.fill(bytes, at, at + count, (byte) ' ');
    length += count;
  }

  /** Takes away white space at the end of what begins at this index. */
  void trimEnd(int from) {
    while (length > from) {
      int last = length - 1;
      while (last > from && isFurther(bytes[last])) {
        last--;
      }
      int character =
          bytes[last] >= 0 ? bytes[last] : new String(bytes, last, length - last, UTF_8).charAt(0);
      if (!Character.isWhitespace((char) character)) {
        return;
      }
      furtherBytes -= length - last - 1;
      length = last;
    }
  }

  int lengthBytes() {
    return length;
  }

  /** Returns how many characters there are; those outside the basic plane count once. */
  int characters() {
    return length - furtherBytes;
  }

  void clear() {
    length = 0;
    furtherBytes = 0;
  }

  /** Writes all of it, and clears it. */
  void writeTo(PrintStream out) {
    if (out.charset().equals(UTF_8)) {
      out.write(bytes, 0, length);
    } else {
      byte[] encoded = new String(bytes, 0, length, UTF_8).getBytes(out.charset());
      out.write(encoded, 0, encoded.length);
    }
    clear();
  }
}
