package dev.tailwater.lab.report;

import java.util.Map;

/** The articles, by their numbers. */
final class Articles {
  private static final Map<String, String> TITLES =
      Map.of(
          "000",
              "“Java batch file I/O towards NFS”, blog “Diary of an apprentice programmer”, 2015",
          "001", "“Why 4 KB / 8 KB write buffers”, TECHSCORE Advent Calendar, 2016",
          "002", "“DirectByteBuffer, cautions and performance”, seraphy, 2015",
          "003", "“The key-value store okuyama, measured”, a blog about okuyama, 2010",
          "004",
              "“Raising file I/O performance in the JVM on Linux”, Dmitry Bundin (Grid Dynamics)");

  private Articles() {}

  /** Returns the title of an article with its author: {@code article 002: “…”, seraphy, 2015}. */
  static String title(String number) {
    String title = TITLES.get(number);
    return title == null ? "article " + number : "article " + number + ": " + title;
  }
}
