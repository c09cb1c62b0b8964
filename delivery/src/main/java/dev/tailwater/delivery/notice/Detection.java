package dev.tailwater.delivery.notice;

import java.util.List;

/**
 * Which sources were found, and why these.
 *
 * @param sources none where nobody is to be asked
 * @param reason in words; empty where nothing was looked for
 */
public record Detection(List<NoticeSource> sources, String reason) {
  /** Nothing was looked for. */
  public static final Detection NONE = new Detection(List.of(), "");

  public Detection {
    sources = List.copyOf(sources);
  }
}
