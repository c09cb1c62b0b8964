package dev.tailwater.restore.verify;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * How one stream compares with a file.
 *
 * @param path the last known path
 * @param file the file it was compared with, relative to the directory; empty when there can be
 *     none
 * @param comparedBytes how many bytes were found to be the same
 * @param differences in order
 * @param undelivered ranges of the file that are neither stored nor explained by a gap
 * @param attributes how its mode and owner compare
 * @param problem why it cannot be said, or that another file has its path
 */
public record ComparedStream(
    String agent,
    StreamId stream,
    PosixPath path,
    Optional<PosixPath> file,
    CompareResult result,
    long comparedBytes,
    List<Difference> differences,
    List<ByteRange> undelivered,
    AttributeComparison attributes,
    Optional<String> problem) {
  public ComparedStream {
    differences = List.copyOf(differences);
    undelivered = List.copyOf(undelivered);
  }
}
