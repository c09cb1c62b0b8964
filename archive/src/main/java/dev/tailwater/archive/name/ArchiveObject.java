package dev.tailwater.archive.name;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.posix.PosixPath;

/** An object of an archive, as its key describes it; see {@link ArchiveNames#parse}. */
public sealed interface ArchiveObject {
  /** Returns the whole key, relative to the destination's root. */
  String key();

  /** Returns the name of the agent that wrote it. */
  String agent();

  /**
   * Returns the absolute birth path of the file, without doubled slashes. If {@link #shortened()},
   * a {@code ~} and a hash replace a part of the path; the headers of the segments have the full
   * path.
   */
  PosixPath birthPath();

  /** Returns whether the path was too long for a key, so that {@link #birthPath()} is not exact. */
  boolean shortened();

  /** Returns the stream that it is about. */
  StreamId stream();

  /** Returns the key up to and including the slash after the stream id. */
  String streamPrefix();

  /** A segment: sealed bytes of a stream. */
  record Segment(
      String key,
      String agent,
      PosixPath birthPath,
      boolean shortened,
      StreamId stream,
      String streamPrefix,
      ByteRange range,
      boolean gzip,
      boolean encrypted)
      implements ArchiveObject {}

  /** A gap: the reason why a range of a stream is missing. */
  record Gap(
      String key,
      String agent,
      PosixPath birthPath,
      boolean shortened,
      StreamId stream,
      String streamPrefix,
      ByteRange range)
      implements ArchiveObject {}

  /** A stream record: what the segments do not say about a stream. */
  record Stream(
      String key,
      String agent,
      PosixPath birthPath,
      boolean shortened,
      StreamId stream,
      String streamPrefix)
      implements ArchiveObject {}
}
