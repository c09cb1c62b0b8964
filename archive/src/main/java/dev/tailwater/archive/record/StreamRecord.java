package dev.tailwater.archive.record;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * What the segments do not say about a stream: {@code stream.json}, written when a file was renamed
 * and when its stream ended; {@code docs/format.md}, "stream.json".
 *
 * @param stream the stream
 * @param birthPath the absolute path it was first seen with
 * @param paths the paths it had later, oldest first; empty when it was never renamed
 * @param end how the stream ended; empty while it goes on
 * @param sizeBytes the file's size when this was written, 0 or more
 * @param permissions the file's mode bits 07777
 * @param modificationTimeNanos the file's mtime, nanoseconds since 1970
 * @param changedInPlace whether bytes were changed in the file after they had been read: the
 *     segments hold what was there before
 */
public record StreamRecord(
    StreamId stream,
    PosixPath birthPath,
    List<KnownPath> paths,
    Optional<End> end,
    long sizeBytes,
    int permissions,
    long modificationTimeNanos,
    boolean changedInPlace) {
  /** More renames than these are not kept: the writer drops the oldest. */
  public static final int MAX_PATHS = 64;

  /** A path that the file got at some time. */
  public record KnownPath(PosixPath path, long sinceMillis) {}

  /** Why nothing more comes. */
  public enum EndReason {
    /** The file was deleted. */
    DELETED,
    /** The file was truncated or overwritten; the next epoch's stream goes on. */
    TRUNCATED,
    /** The file was moved to where the agent does not look. */
    MOVED_AWAY,
    /**
     * The file was gone when an agent came back; nobody saw what became of it, or its last size.
     */
    VANISHED
  }

  /**
   * The end of a stream.
   *
   * @param sizeBytes the stream's final length
   * @param atMillis when the agent saw it, milliseconds since 1970
   */
  public record End(EndReason reason, long sizeBytes, long atMillis) {
    public End {
      requireSize(sizeBytes);
    }
  }

  public StreamRecord {
    paths = List.copyOf(paths);
    requireSize(sizeBytes);
    if (paths.size() > MAX_PATHS) {
      throw new IllegalArgumentException(paths.size() + " paths; at most " + MAX_PATHS);
    }
    if ((permissions & ~07777) != 0) {
      throw new IllegalArgumentException(
          "not permission bits: 0" + Integer.toOctalString(permissions));
    }
  }

  /** The record of a file whose bytes are as they were read, as far as is known. */
  public StreamRecord(
      StreamId stream,
      PosixPath birthPath,
      List<KnownPath> paths,
      Optional<End> end,
      long sizeBytes,
      int permissions,
      long modificationTimeNanos) {
    this(stream, birthPath, paths, end, sizeBytes, permissions, modificationTimeNanos, false);
  }

  private static void requireSize(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("a size is 0 or more, not " + sizeBytes);
    }
  }

  /** The path that the file had last. */
  public PosixPath lastPath() {
    return paths.isEmpty() ? birthPath : paths.getLast().path();
  }
}
