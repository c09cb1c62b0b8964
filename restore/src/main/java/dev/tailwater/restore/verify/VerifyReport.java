package dev.tailwater.restore.verify;

import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.list.ForeignObjects;
import dev.tailwater.restore.name.ContestedPath;
import dev.tailwater.restore.read.LockedStreams;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was found out about an archive.
 *
 * @param streams one entry for each stream that was meant, in the order of the index
 * @param quick whether only names were looked at
 * @param contested places about whose owner the archive contradicts itself
 * @param locked streams that no identity opens
 * @param manifests those that say something else of a pack than the pack itself, or are damaged;
 *     nothing is missing for that
 * @param trees packs that tell directories and links, and cannot be read or are missing
 * @param records packs and records of agents that cannot be read
 * @param foreign what else lies at the destination
 * @param outcome {@link Outcome#PARTIAL} when anything is missing or damaged; {@link
 *     Outcome#FAILED} when not one segment could be opened, or something was selected and nothing
 *     was found
 */
public record VerifyReport(
    List<VerifiedStream> streams,
    boolean quick,
    List<ContestedPath> contested,
    Optional<LockedStreams> locked,
    List<Damage> manifests,
    List<Damage> trees,
    List<Damage> records,
    ForeignObjects foreign,
    Outcome outcome) {
  public VerifyReport {
    streams = List.copyOf(streams);
    contested = List.copyOf(contested);
    manifests = List.copyOf(manifests);
    trees = List.copyOf(trees);
    records = List.copyOf(records);
  }

  /** How many objects could not be looked at, since the destination failed. */
  public long unreadObjects() {
    return Stream.concat(
            streams.stream().map(VerifiedStream::damages), Stream.of(manifests, trees, records))
        .flatMap(List::stream)
        .filter(damage -> damage.kind() == Damage.Kind.UNREADABLE)
        .map(Damage::key)
        .distinct()
        .count();
  }

  /** How many bytes of all streams can be had. */
  public long bytes() {
    return streams.stream().mapToLong(VerifiedStream::bytes).sum();
  }
}
