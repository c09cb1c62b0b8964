package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;

/**
 * What must survive the agent about one stream at one destination.
 *
 * @param birthPath the path at which the stream was first seen
 * @param streamPrefix the prefix of the names of its objects
 * @param path the path at which it was last seen, under its name in the archive
 * @param recordedPath the last path that readers of the archive can know
 * @param durableBytes every byte below this offset is durable at the destination
 * @param marker checksum of the bytes before {@code durableBytes}
 * @param described whether the archive has a record of the stream beside its segments
 * @param modificationTimeNanos that of the file when it was last seen
 * @param seenAtMillis when the file was last seen
 * @param changedInPlace whether bytes were changed in the file after they had been read
 */
public record Checkpoint(
    FileIdentity identity,
    StreamId stream,
    PosixPath birthPath,
    String streamPrefix,
    PosixPath path,
    PosixPath recordedPath,
    long durableBytes,
    Marker marker,
    boolean described,
    int permissions,
    long modificationTimeNanos,
    long seenAtMillis,
    Optional<Ending> ending,
    boolean changedInPlace) {

  /** Returns the same checkpoint for a file that has another identity now. */
  public Checkpoint of(FileIdentity now) {
    return new Checkpoint(
        now,
        stream,
        birthPath,
        streamPrefix,
        path,
        recordedPath,
        durableBytes,
        marker,
        described,
        permissions,
        modificationTimeNanos,
        seenAtMillis,
        ending,
        changedInPlace);
  }
}
