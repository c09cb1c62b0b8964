package dev.tailwater.delivery.stream;

import dev.tailwater.posix.PosixPath;
import java.util.OptionalLong;

/**
 * Where a file is.
 *
 * @param path its path in the archive
 * @param arrivalNanos when it came there: a number that no other file of the agent has, and higher
 *     than those of all that came before; empty where it is not known
 */
public record Place(PosixPath path, OptionalLong arrivalNanos) {
  /** Creates a place of which nobody knows when the file came there. */
  public static Place of(PosixPath path) {
    return new Place(path, OptionalLong.empty());
  }
}
