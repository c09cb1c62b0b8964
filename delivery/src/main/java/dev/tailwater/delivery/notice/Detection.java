package dev.tailwater.delivery.notice;

import java.util.List;

/**
 * The outcome of looking for sources.
 *
 * @param sources those that were found
 * @param reason why these, in words; empty when nothing was looked for
 */
public record Detection(List<NoticeSource> sources, String reason) {
  /** Nothing was looked for. */
  public static final Detection NONE = new Detection(List.of(), "");

  public Detection {
    sources = List.copyOf(sources);
  }
}
