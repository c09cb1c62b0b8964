package dev.tailwater.delivery.checkpoint;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;

/**
 * What must survive the agent about one stream at one destination.
 *
 * @param changedInPlace whether bytes were changed in the file after they had been read
 */
public record Checkpoint(
    FileIdentity identity,
    StreamOrigin origin,
    LastSeen seen,
    Recorded recorded,
    DurablePrefix durable,
    Optional<Ending> ending,
    boolean changedInPlace) {

  /**
   * The file when it was last seen.
   *
   * @param path under its name in the archive
   * @param modificationTimeNanos 0 when it is not known
   */
  public record LastSeen(
      PosixPath path, int permissions, long modificationTimeNanos, long atMillis) {}

  /**
   * What readers of the archive know.
   *
   * @param path the last path that they can know
   * @param described whether the archive has a record of the stream beside its segments
   */
  public record Recorded(PosixPath path, boolean described) {}

  /**
   * The bytes that are durable at the destination.
   *
   * @param bytes every byte below this offset is
   * @param marker checksum of the bytes before it
   */
  public record DurablePrefix(long bytes, Marker marker) {}

  /** Returns the same checkpoint for a file that has another identity now. */
  public Checkpoint of(FileIdentity now) {
    return new Checkpoint(now, origin, seen, recorded, durable, ending, changedInPlace);
  }
}
