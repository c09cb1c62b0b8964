package dev.tailwater.archive;

import java.util.Locale;

/** The compression of a segment. The standard tools can read every variant. */
public sealed interface Codec {
  /** The suffix of the name of an object that consists of zstd frames. */
  String ZSTD_SUFFIX = ".zst";

  /** The suffix of the name of an object that consists of gzip members. */
  String GZIP_SUFFIX = ".gz";

  /** The fastest level of zstd. */
  int MIN_ZSTD_LEVEL = -7;

  /** The level of zstd that gives the shortest segments. */
  int MAX_ZSTD_LEVEL = 19;

  /** The fastest level of gzip. */
  int MIN_GZIP_LEVEL = 1;

  /** The level of gzip that gives the shortest segments. */
  int MAX_GZIP_LEVEL = 9;

  /** Compression to zstd frames (RFC 8878) with checksums; level −7 (fastest) to 19 (smallest). */
  record Zstd(int level) implements Codec {
    public Zstd {
      requireLevel("zstd", level, MIN_ZSTD_LEVEL, MAX_ZSTD_LEVEL);
    }

    @Override
    public String toString() {
      return "zstd:" + level;
    }
  }

  /** Compression to gzip members (RFC 1952); level 1 to 9. */
  record Gzip(int level) implements Codec {
    public Gzip {
      requireLevel("gzip", level, MIN_GZIP_LEVEL, MAX_GZIP_LEVEL);
    }

    @Override
    public String toString() {
      return "gzip:" + level;
    }
  }

  /** No compression: zstd frames that consist of raw blocks. */
  record Store() implements Codec {
    @Override
    public String toString() {
      return "store";
    }
  }

  /** Returns the suffix of the object's name: {@code .zst} or {@code .gz}. */
  default String suffix() {
    return this instanceof Gzip ? GZIP_SUFFIX : ZSTD_SUFFIX;
  }

  /**
   * Parses {@code zstd}, {@code zstd:LEVEL}, {@code gzip}, {@code gzip:LEVEL} or {@code store}. The
   * default level is 1 for zstd and 6 for gzip.
   *
   * @throws IllegalArgumentException if the text is none of these; the message is for the user
   */
  static Codec parse(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':');
    String name = colon < 0 ? lower : lower.substring(0, colon);
    if (name.equals("zstd")) {
      return new Zstd(colon < 0 ? 1 : level(text, lower.substring(colon + 1)));
    }
    if (name.equals("gzip")) {
      return new Gzip(colon < 0 ? 6 : level(text, lower.substring(colon + 1)));
    }
    if (lower.equals("store")) {
      return new Store();
    }
    throw new IllegalArgumentException(
        "unknown compression '" + text + "'. Hint: use zstd:1, gzip:6 or store");
  }

  private static int level(String text, String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException(
          "the level in compression '" + text + "' is not a number", notANumber);
    }
  }

  private static void requireLevel(String name, int level, int min, int max) {
    if (level < min || level > max) {
      throw new IllegalArgumentException(
          name + " has levels from " + min + " to " + max + ", not " + level);
    }
  }
}
