package dev.tailwater.archive.header;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.AgentName;
import dev.tailwater.archive.name.PathNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The self-description of a segment. {@code docs/format.md}, "Segment header", specifies its bytes.
 *
 * @param version the version of the format, 1
 * @param agent the agent that sealed the segment
 * @param stream the stream that the segment is a part of
 * @param range the bytes of the stream in the segment, never empty
 * @param path the file's absolute path when the segment was sealed, at most 4 096 bytes
 * @param sealedAtMillis when the segment was sealed, milliseconds since 1970
 * @param modificationTimeNanos the file's mtime when the segment was sealed, nanoseconds since 1970
 * @param permissions the file's mode bits 07777
 * @param rawCrc32c the CRC-32C of the bytes of the range
 * @param merged whether it was made of shorter segments, which were sealed earlier
 * @param owner who owned the file when the segment was sealed; empty if that is not told
 * @param arrivalNanos when the file came to the path, see {@code docs/format.md}, "Arrivals"; empty
 *     if that is not told
 */
public record SegmentHeader(
    int version,
    String agent,
    StreamId stream,
    ByteRange range,
    PosixPath path,
    long sealedAtMillis,
    long modificationTimeNanos,
    int permissions,
    int rawCrc32c,
    boolean merged,
    Optional<FileOwner> owner,
    OptionalLong arrivalNanos) {
  /** The version that this code writes, and the highest version that it reads. */
  public static final int VERSION = 1;

  /** PATH_MAX of Linux, which includes the terminating NUL. */
  public static final int MAX_PATH_BYTES = PathNames.MAX_FILE_BYTES;

  /** Creates the header of a segment that was sealed at once. */
  public SegmentHeader(
      int version,
      String agent,
      StreamId stream,
      ByteRange range,
      PosixPath path,
      long sealedAtMillis,
      long modificationTimeNanos,
      int permissions,
      int rawCrc32c) {
    this(
        version,
        agent,
        stream,
        range,
        path,
        sealedAtMillis,
        modificationTimeNanos,
        permissions,
        rawCrc32c,
        false,
        Optional.empty(),
        OptionalLong.empty());
  }

  /** Returns the same header with this owner. */
  public SegmentHeader withOwner(Optional<FileOwner> told) {
    return new SegmentHeader(
        version,
        agent,
        stream,
        range,
        path,
        sealedAtMillis,
        modificationTimeNanos,
        permissions,
        rawCrc32c,
        merged,
        told,
        arrivalNanos);
  }

  public SegmentHeader {
    AgentName.require(agent);
    if (range.isEmpty()) {
      throw new IllegalArgumentException("a segment cannot have the empty range " + range);
    }
    if (path.lengthBytes() > MAX_PATH_BYTES) {
      throw new IllegalArgumentException("path longer than " + MAX_PATH_BYTES + " bytes: " + path);
    }
    if ((permissions & ~07777) != 0) {
      throw new IllegalArgumentException(
          "not permission bits: 0" + Integer.toOctalString(permissions));
    }
  }
}
