package dev.tailwater.archive.record;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A record of what the segments do not say about a stream, stored as {@code stream.json}. The agent
 * writes it when the file was renamed and when the stream ended; see {@code docs/format.md},
 * "stream.json".
 *
 * @param stream the stream
 * @param birthPath the absolute path at which the file was first seen
 * @param paths the later paths of the file, oldest first; empty if it was never renamed
 * @param end how the stream ended; empty if it has not ended
 * @param sizeBytes the size of the file when the record was written, 0 or more
 * @param permissions the file's mode bits 07777
 * @param modificationTimeNanos the file's mtime, nanoseconds since 1970
 * @param changedInPlace whether bytes of the file were changed after they had been read; the
 *     segments contain the earlier bytes
 * @param owner who owned the file when the record was written; empty if that is not told
 */
public record StreamRecord(
    StreamId stream,
    PosixPath birthPath,
    List<KnownPath> paths,
    Optional<End> end,
    long sizeBytes,
    int permissions,
    long modificationTimeNanos,
    boolean changedInPlace,
    Optional<FileOwner> owner) {
  /** The maximum number of later paths; the writer drops the oldest. */
  public static final int MAX_PATHS = 64;

  /**
   * A path of the file.
   *
   * @param sinceMillis when the file was seen there, milliseconds since 1970
   * @param arrivalNanos when the file came there, see {@code docs/format.md}, "Arrivals"; empty if
   *     that is not told
   */
  public record KnownPath(PosixPath path, long sinceMillis, OptionalLong arrivalNanos) {
    /** Creates a path without an arrival. */
    public KnownPath(PosixPath path, long sinceMillis) {
      this(path, sinceMillis, OptionalLong.empty());
    }
  }

  /** The reason why a stream ended. */
  public enum EndReason {
    /** The file was deleted. */
    DELETED,
    /** The file was truncated or overwritten; the stream of the next epoch continues. */
    TRUNCATED,
    /** The file was moved to a place that the agent does not watch. */
    MOVED_AWAY,
    /**
     * The file was gone when an agent came back, or before a running one could compare it for the
     * last time: its fate, and what it held last, are unknown.
     */
    VANISHED;

    /** Returns whether no byte can follow: the inode is gone, or was truncated. */
    public boolean isFinal() {
      return this == DELETED || this == TRUNCATED;
    }
  }

  /**
   * The end of a stream.
   *
   * @param sizeBytes the final length of the stream
   * @param atMillis when the agent noticed the end, milliseconds since 1970
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

  /**
   * Creates a record of a file whose bytes, as far as is known, did not change after they were
   * read.
   */
  public StreamRecord(
      StreamId stream,
      PosixPath birthPath,
      List<KnownPath> paths,
      Optional<End> end,
      long sizeBytes,
      int permissions,
      long modificationTimeNanos) {
    this(
        stream,
        birthPath,
        paths,
        end,
        sizeBytes,
        permissions,
        modificationTimeNanos,
        false,
        Optional.empty());
  }

  private static void requireSize(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("a size is 0 or more, not " + sizeBytes);
    }
  }

  /**
   * Returns when the agent knew the last of what it says, in milliseconds since 1970 by the agent's
   * clock: what packs say since then counts more. See {@code docs/format.md}, "Directory".
   */
  public long toldAtMillis() {
    long pathMillis = paths.isEmpty() ? Long.MIN_VALUE : paths.getLast().sinceMillis();
    return Math.max(pathMillis, end.map(End::atMillis).orElse(Long.MIN_VALUE));
  }

  /** Returns the record of the same stream as one that goes on. */
  public StreamRecord withoutEnd() {
    return new StreamRecord(
        stream,
        birthPath,
        paths,
        Optional.empty(),
        sizeBytes,
        permissions,
        modificationTimeNanos,
        changedInPlace,
        owner);
  }

  /** Returns the last known path of the file. */
  public PosixPath lastPath() {
    return paths.isEmpty() ? birthPath : paths.getLast().path();
  }
}
