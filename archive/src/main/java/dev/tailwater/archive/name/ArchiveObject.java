package dev.tailwater.archive.name;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.posix.PosixPath;

/** What an object's key says about the object; see {@link ArchiveNames#parse}. */
public sealed interface ArchiveObject {
  /** The whole key, relative to the destination's root. */
  String key();

  String agent();

  /**
   * The absolute path the file was born with, without doubled slashes. Where {@link #shortened()},
   * a part of it is replaced by {@code ~} and a hash; the segments' headers hold the path in full.
   */
  PosixPath birthPath();

  /** Whether the path was too long for a key, so that {@link #birthPath()} is not exact. */
  boolean shortened();

  StreamId stream();

  /** The key up to and including the slash behind the stream id. */
  String streamPrefix();

  /** Sealed bytes of a stream. */
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

  /** Says why a range of a stream is missing. */
  record Gap(
      String key,
      String agent,
      PosixPath birthPath,
      boolean shortened,
      StreamId stream,
      String streamPrefix,
      ByteRange range)
      implements ArchiveObject {}

  /** What the segments do not say about a stream. */
  record Stream(
      String key,
      String agent,
      PosixPath birthPath,
      boolean shortened,
      StreamId stream,
      String streamPrefix)
      implements ArchiveObject {}
}
