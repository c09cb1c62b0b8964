package dev.tailwater.restore.verify;

import dev.tailwater.restore.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * How an archive compares with a directory.
 *
 * @param streams one entry for each stream that was meant, in the order of the index
 * @param tree how directories and links compare, if that was asked for
 * @param unarchived the files of the directory that the archive does not have; empty if they were
 *     not looked for
 * @param outcome {@link Outcome#DONE} when everything that is still there is stored byte for byte,
 *     and directories, links and the modes of files are as the archive tells; not if no file of the
 *     archive is there
 */
public record CompareReport(
    List<ComparedStream> streams,
    TreeComparison tree,
    Optional<UnarchivedFiles> unarchived,
    Outcome outcome) {
  public CompareReport {
    streams = List.copyOf(streams);
  }

  /** Whether there are streams, and the file of none of them is in the directory. */
  public boolean isNothingThere() {
    return !streams.isEmpty() && count(CompareResult.NOT_THERE) == streams.size();
  }

  /** Returns the streams of which another file, with other bytes, has the path. */
  public List<ComparedStream> replacedByFiles() {
    return streams.stream()
        .filter(stream -> stream.result() == CompareResult.REPLACED && stream.problem().isPresent())
        .toList();
  }

  CompareReport withOutcome(Outcome newOutcome) {
    return new CompareReport(streams, tree, unarchived, newOutcome);
  }

  /** Returns of how many files the modes are encrypted, and were not compared. */
  public long lockedAttributes() {
    return streams.stream().filter(stream -> stream.attributes().isLocked()).count();
  }

  /** Whether bytes could not be compared since they are encrypted. */
  public boolean hasLockedBytes() {
    return streams.stream()
        .anyMatch(
            stream -> stream.result() == CompareResult.UNKNOWN && stream.attributes().isLocked());
  }

  /** How many streams ended like this. */
  public long count(CompareResult result) {
    return streams.stream().filter(stream -> stream.result() == result).count();
  }
}
