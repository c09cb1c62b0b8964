package dev.tailwater.delivery.config;

/** Where segments of a file may end. */
public enum CutAt {
  /** At any byte. */
  ANYWHERE,
  /**
   * After a newline, if one is within the last 256 KiB of a block. Then programs that read objects
   * one by one see whole lines. A last line without a newline waits for at most one more maximum
   * age, and not at all in a drain.
   */
  NEWLINE
}
