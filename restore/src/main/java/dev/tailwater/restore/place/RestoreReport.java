package dev.tailwater.restore.place;

import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.attribute.UnsetAttributes;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.list.ForeignObjects;
import dev.tailwater.restore.name.ContestedPath;
import dev.tailwater.restore.name.PartialName;
import dev.tailwater.restore.read.LockedStreams;
import java.util.List;
import java.util.Optional;

/**
 * What became of a whole run.
 *
 * @param streams one entry for each stream that was meant, in the order of the index
 * @param contested places about whose owner the archive contradicts itself
 * @param locked streams that no identity opens
 * @param foreign what else lies at the destination
 * @param outcome from this follows the exit code; {@link Outcome#FAILED} also when something was
 *     selected and nothing was found
 * @param problem what went wrong with the run as a whole: the names of the files may not survive a
 *     power cut, or something is left over
 * @param unsetOwners what should have got its owner and did not
 * @param unsetAttributes extended attributes that should have been set and were not
 * @param unsetModes files, directories and links that have another mode or time, since the file
 *     system of the target does not take it
 * @param unvouched files of which an object tells newer permissions or another owner, and neither
 *     encryption nor a signature vouches for it: they did not get them
 * @param tree what became of directories and links
 */
public record RestoreReport(
    List<RestoredStream> streams,
    List<ContestedPath> contested,
    Optional<LockedStreams> locked,
    ForeignObjects foreign,
    Outcome outcome,
    Optional<String> problem,
    Optional<UnsetOwners> unsetOwners,
    Optional<UnsetAttributes> unsetAttributes,
    Optional<UnsetAttributes> unsetModes,
    long unvouched,
    TreeReport tree) {
  public RestoreReport {
    streams = List.copyOf(streams);
    contested = List.copyOf(contested);
  }

  /** Bytes in restored files, those that were there before included. */
  public long bytes() {
    return streams.stream().mapToLong(RestoredStream::bytes).sum();
  }

  /** Files that did not get their names, which are those of unfinished files of a restore. */
  public List<RestoredStream> renamedApart() {
    return streams.stream()
        .filter(stream -> PartialName.isReserved(stream.path().fileName()))
        .filter(stream -> stream.target().isPresent())
        .toList();
  }

  /** How many streams ended like this. */
  public long count(RestoreResult result) {
    return streams.stream().filter(stream -> stream.result() == result).count();
  }
}
