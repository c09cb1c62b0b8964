package dev.tailwater.restore.place;

/** What became of one stream. */
public enum RestoreResult {
  /** The file is there with every byte the stream is known to have had. */
  RESTORED,
  /** The file was there before with every such byte; it was not touched. */
  ALREADY_THERE,
  /**
   * The file is there, but something is missing: gaps, ranges that nobody has, damaged objects. The
   * missing ranges read as zeros, or lie behind its end.
   */
  INCOMPLETE,
  /**
   * The file is there with every byte, but the archive is at odds with itself: segments have
   * different bytes for the same offsets, or some were refused.
   */
  DOUBTFUL,
  /** A file with other contents has the name; it was not touched. */
  REFUSED,
  /** There is no file: all of it is encrypted, and no identity opens it. */
  LOCKED,
  /** There is no file; what was fetched already is kept for the next run where that makes sense. */
  FAILED;

  /** Whether there is a file with the stream's bytes. */
  boolean hasFile() {
    return switch (this) {
      case RESTORED, ALREADY_THERE, INCOMPLETE, DOUBTFUL -> true;
      case REFUSED, LOCKED, FAILED -> false;
    };
  }
}
