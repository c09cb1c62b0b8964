package dev.tailwater.archive.pack;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.PathNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A stream as the first pack of a group that mentions it describes it. The other packs of the group
 * name it by its number.
 *
 * @param number its number in the group, 0 or more
 * @param birthPath the absolute path at which the file was first seen
 * @param path the absolute path of the file when the pack was made
 * @param permissions the file's mode bits then, 07777
 * @param owner who owned the file then; empty if that is not told
 * @param arrivalNanos when the file came to the path, see {@code docs/format.md}, "Arrivals"; empty
 *     if that is not told
 */
public record PackedStream(
    int number,
    StreamId stream,
    PosixPath birthPath,
    PosixPath path,
    int permissions,
    Optional<FileOwner> owner,
    OptionalLong arrivalNanos) {
  public PackedStream {
    if (number < 0) {
      throw new IllegalArgumentException("not the number of a stream: " + number);
    }
    requireFile(birthPath);
    requireFile(path);
    if ((permissions & ~07777) != 0) {
      throw new IllegalArgumentException(
          "not permission bits: 0" + Integer.toOctalString(permissions));
    }
  }

  /** Creates a description that tells neither the owner nor the arrival. */
  public PackedStream(
      int number, StreamId stream, PosixPath birthPath, PosixPath path, int permissions) {
    this(number, stream, birthPath, path, permissions, Optional.empty(), OptionalLong.empty());
  }

  /** Returns the same description with this owner. */
  public PackedStream withOwner(Optional<FileOwner> told) {
    return new PackedStream(number, stream, birthPath, path, permissions, told, arrivalNanos);
  }

  /** Returns the same description with this arrival. */
  public PackedStream withArrival(OptionalLong toldNanos) {
    return new PackedStream(number, stream, birthPath, path, permissions, owner, toldNanos);
  }

  /** Returns the same stream with another number. */
  public PackedStream withNumber(int newNumber) {
    return new PackedStream(newNumber, stream, birthPath, path, permissions, owner, arrivalNanos);
  }

  static void requireFile(PosixPath path) {
    if (!PathNames.isFile(path) || path.lengthBytes() > PathNames.MAX_FILE_BYTES) {
      throw new IllegalArgumentException("not the absolute path of a file: '" + path + "'");
    }
  }
}
