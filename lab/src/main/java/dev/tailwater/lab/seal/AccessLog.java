package dev.tailwater.lab.seal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A generator of lines like those of a web server's access log in its combined format. The same
 * seed gives the same bytes. Visitors return and pages differ in popularity, so that the lines
 * repeat themselves about as much as real ones: zstd's level 1 makes them about six times smaller.
 *
 * <p>Not thread-safe.
 */
public final class AccessLog {
  private static final String[] SECTIONS = {
    "catalogue",
    "basket",
    "account",
    "search",
    "static/img",
    "static/js",
    "api/v2/prices",
    "api/v2/stock"
  };
  private static final String[] BROWSERS = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
        + " Version/",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/"
  };
  private static final int VISITORS = 5_000;
  private static final int PAGES = 2_000;
  private static final int MAX_LINE_BYTES = 1_024;
  private static final int BUFFER_BYTES = 256 * 1024;

  /** The rate of the lines' clock, which starts on 2026-11-01 and starts again after 30 days. */
  private static final int LINES_PER_SECOND = 40;

  private final SplittableRandom random;
  private final byte[][] addresses = new byte[VISITORS][];
  private final byte[][] agents = new byte[VISITORS][];
  private final byte[][] pages = new byte[PAGES][];
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int end;
  private long line;

  /** Creates a generator of the lines that the seed determines. */
  public AccessLog(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 0; i < VISITORS; i++) {
      addresses[i] = ascii(octet() + "." + octet() + "." + octet() + "." + octet());
      agents[i] =
          ascii(BROWSERS[skewed(BROWSERS.length)] + (100 + skewed(40)) + ".0." + skewed(99));
    }
    for (int i = 0; i < PAGES; i++) {
      pages[i] = ascii("/" + SECTIONS[skewed(SECTIONS.length)] + "/" + random.nextInt(100_000));
    }
  }

  /** Writes exactly this many bytes; the last line may be cut. */
  public void write(OutputStream target, long lengthBytes) throws IOException {
    long left = lengthBytes;
    while (left > 0) {
      end = 0;
      while (end < BUFFER_BYTES - MAX_LINE_BYTES && end < left) {
        appendLine();
      }
      int count = (int) Math.min(left, end);
      target.write(buffer, 0, count);
      left -= count;
    }
  }

  /** Returns the next bytes, at least as many as requested and ending with a line. */
  public byte[] next(int minBytes) {
    if (minBytes > BUFFER_BYTES - MAX_LINE_BYTES) {
      throw new IllegalArgumentException(minBytes + " bytes at once");
    }
    end = 0;
    while (end < minBytes) {
      appendLine();
    }
    return Arrays.copyOf(buffer, end);
  }

  private void appendLine() {
    int visitor = skewed(VISITORS);
    long second = line++ / LINES_PER_SECOND;
    append(addresses[visitor]);
    append(" - - [");
    appendTwoDigits((int) (second / 86_400 % 30) + 1);
    append("/Nov/2026:");
    appendTwoDigits((int) (second / 3_600 % 24));
    append(":");
    appendTwoDigits((int) (second / 60 % 60));
    append(":");
    appendTwoDigits((int) (second % 60));
    append(" +0000] \"");
    append(random.nextInt(8) == 0 ? "POST " : "GET ");
    append(pages[skewed(PAGES)]);
    if (random.nextInt(5) < 3) {
      append("?session=");
      appendHex(random.nextLong());
    }
    append(" HTTP/1.1\" ");
    append(random.nextInt(16) == 0 ? "404 " : random.nextInt(8) == 0 ? "304 " : "200 ");
    appendNumber(random.nextInt(50_000));
    append(" \"https://shop.example");
    append(pages[skewed(PAGES)]);
    append("\" \"");
    append(agents[visitor]);
    append("\" ");
    appendNumber(random.nextInt(200_000));
    append("\n");
  }

  private int octet() {
    return random.nextInt(1, 255);
  }

  /** Returns a random number below the bound, small numbers more often than large ones. */
  private int skewed(int bound) {
    double uniform = random.nextDouble();
    return (int) (bound * uniform * uniform * uniform);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void append(byte[] bytes) {
    System.arraycopy(bytes, 0, buffer, end, bytes.length);
    end += bytes.length;
  }

  @SuppressWarnings(
      "deprecation") // The only conversion without a detour; all characters are ASCII.
  private void append(String text) {
    text.getBytes(0, text.length(), buffer, end);
    end += text.length();
  }

  private void appendTwoDigits(int number) {
    buffer[end++] = (byte) ('0' + number / 10);
    buffer[end++] = (byte) ('0' + number % 10);
  }

  private void appendNumber(int number) {
    int digits = 1;
    for (int rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    int rest = number;
    for (int i = digits - 1; i >= 0; i--) {
      buffer[end + i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    end += digits;
  }

  private void appendHex(long bits) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      buffer[end++] = (byte) Character.forDigit((int) (bits >>> shift) & 15, 16);
    }
  }
}
