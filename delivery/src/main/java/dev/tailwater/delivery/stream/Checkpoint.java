package dev.tailwater.delivery.stream;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What must survive the agent about one stream at one destination.
 *
 * @param changedInPlace whether bytes were changed in the file after they had been read, and are
 *     not delivered
 * @param rewriting what is known of bytes that were replaced
 * @param undelivered what is known of bytes that are not durable
 */
public record Checkpoint(
    FileIdentity identity,
    StreamOrigin origin,
    LastSeen seen,
    Recorded recorded,
    DurablePrefix durable,
    Optional<Ending> ending,
    boolean changedInPlace,
    Rewriting rewriting,
    Undelivered undelivered) {

  /**
   * What is known of bytes that were replaced.
   *
   * @param uncompared whether the file has to be compared with what is delivered
   * @param onceMore whether that was done of the file as it was last seen, and is only done once
   *     more, since bytes may have been stored without a sign
   * @param lastRevision the highest revision that was used; 0 when none was
   * @param suspected whether bytes may have been replaced where no checksum is known
   * @param blockSums the checksums of what is delivered, in the form of {@link BlockSums}
   */
  public record Rewriting(
      boolean uncompared,
      boolean onceMore,
      long lastRevision,
      boolean suspected,
      Map<Integer, byte[]> blockSums) {
    /** Nothing is known. */
    public static final Rewriting NONE = new Rewriting(false, false, 0, false, Map.of());

    public Rewriting {
      blockSums = Map.copyOf(blockSums);
    }
  }

  /** Returns the same checkpoint with the checksums that were saved beside it. */
  public Checkpoint with(Map<Integer, byte[]> blockSums) {
    return new Checkpoint(
        identity,
        origin,
        seen,
        recorded,
        durable,
        ending,
        changedInPlace,
        new Rewriting(
            rewriting.uncompared(),
            rewriting.onceMore(),
            rewriting.lastRevision(),
            rewriting.suspected(),
            blockSums),
        undelivered);
  }

  /**
   * The file when it was last seen.
   *
   * @param path under its name in the archive
   * @param modificationTimeNanos 0 when it is not known
   * @param owner empty when no run that noted it has seen the file
   * @param changeTimeNanos if the file still has it, it holds the bytes that were read of it; empty
   *     when no time vouches for that
   */
  public record LastSeen(
      PosixPath path,
      int permissions,
      long modificationTimeNanos,
      long atMillis,
      Optional<FileOwner> owner,
      OptionalLong changeTimeNanos) {}

  /**
   * What readers of the archive know.
   *
   * @param path the last path that they can know
   * @param described whether the archive has a record of the stream beside its segments
   * @param complete whether nothing else was to be said, or the rest of the checkpoint tells what
   * @param timeTold whether they know the modification time with which the file was last seen, or
   *     will know it by bytes that are not durable yet
   */
  public record Recorded(PosixPath path, boolean described, boolean complete, boolean timeTold) {
    /** Creates what a run knew that did not note more. */
    public Recorded(PosixPath path, boolean described) {
      this(path, described, true, true);
    }
  }

  /**
   * The bytes that are durable at the destination.
   *
   * @param bytes every byte below this offset is
   * @param marker checksum of the bytes before it
   */
  public record DurablePrefix(long bytes, Marker marker) {}

  /**
   * What is known of the bytes that are not durable.
   *
   * @param sizeBytes the largest size that the file was seen with, where that is beyond the durable
   *     bytes; else 0
   * @param taken the ranges for which the archive has bytes of others
   */
  public record Undelivered(long sizeBytes, List<ByteRange> taken) {
    /** Nothing is known. */
    public static final Undelivered NOTHING = new Undelivered(0, List.of());

    public Undelivered {
      taken = List.copyOf(taken);
    }
  }

  /** Returns the same checkpoint for a file that has another identity now. */
  public Checkpoint of(FileIdentity now) {
    return new Checkpoint(
        now, origin, seen, recorded, durable, ending, changedInPlace, rewriting, undelivered);
  }
}
