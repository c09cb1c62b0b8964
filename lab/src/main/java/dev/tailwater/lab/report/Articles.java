package dev.tailwater.lab.report;

import java.util.Map;

/** The subjects of the articles, by their numbers. */
final class Articles {
  private static final Map<String, String> TITLES =
      Map.of(
          "000", "Java batch file I/O towards NFS, 2015",
          "001", "why write buffers are of 4 KB or 8 KB, 2016",
          "002", "cautions about DirectByteBuffer, 2015",
          "003", "the key-value store okuyama, measured, 2010",
          "004", "raising file I/O performance in the JVM on Linux");

  private Articles() {}

  /**
   * Returns the title of an article: {@code article 000: Java batch file I/O towards NFS, 2015}.
   */
  static String title(String number) {
    String title = TITLES.get(number);
    return title == null ? "article " + number : "article " + number + ": " + title;
  }
}
