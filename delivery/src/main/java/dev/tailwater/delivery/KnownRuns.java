package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.Sequence;
import dev.tailwater.delivery.checkpoint.NotedReceipt;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.list.ListedEntries;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The runs of an agent that its state knows, against those that the destination knows. Later ones
 * there: the state is an earlier copy, as after a machine was set back to a snapshot, or two agents
 * have the same name. The last one is not there: the archive was emptied or replaced.
 *
 * <p>Told by the names of packs and receipts, which sort by time. A run that delivered neither is
 * not found, and an archive without receipts is missed only where nothing of it is there. Names
 * that the agent cannot have given yet say nothing.
 */
final class KnownRuns {
  private final String agent;
  private final Destination destination;
  private final CheckpointStore checkpoints;
  private final GroupBound bound;

  /** The last that the state knows of each sequence that is noted. */
  private final Map<Sequence, PackGroup> known = new EnumMap<>(Sequence.class);

  /** The last receipt that the destination had; empty if it had none. */
  private final Optional<NotedReceipt> lastReceipt;

  /**
   * What the destination knows of them.
   *
   * @param later the last run of each sequence, if it is later than the state knows
   * @param isMissing whether what the last run has delivered is not there
   */
  record Found(Map<Sequence, PackGroup> later, boolean isMissing) {

    /** Returns why the state is not believed; empty if it agrees with the destination. */
    Optional<Doubt> doubt() {
      if (isMissing) {
        return Optional.of(Doubt.OLDER_ARCHIVE);
      }
      return later.isEmpty() ? Optional.empty() : Optional.of(Doubt.OLDER_STATE);
    }
  }

  /** Why the state is not believed. */
  enum Doubt {
    /** Other runs have delivered since. */
    OLDER_STATE,
    /** What was delivered last is not there. */
    OLDER_ARCHIVE
  }

  /**
   * Reads what the state knows.
   *
   * @param sequences what the agent delivers of
   * @param bound which runs count
   */
  KnownRuns(
      String agent,
      Destination destination,
      CheckpointStore checkpoints,
      Collection<Sequence> sequences,
      GroupBound bound)
      throws IOException {
    this.agent = agent;
    this.destination = destination;
    this.checkpoints = checkpoints;
    this.bound = bound;
    for (Sequence sequence : sequences) {
      checkpoints.begun(sequence).ifPresent(last -> known.put(sequence, last));
    }
    this.lastReceipt =
        sequences.contains(Sequence.RECEIPTS) ? checkpoints.lastReceipt() : Optional.empty();
  }

  /** Asks the destination; one list for each sequence, or one more where no receipt is known. */
  Found find() throws DestinationException {
    Map<Sequence, PackGroup> later = new EnumMap<>(Sequence.class);
    if (known.containsKey(Sequence.PACKS)) {
      lastPackAfter(known.get(Sequence.PACKS)).ifPresent(last -> later.put(Sequence.PACKS, last));
    }
    boolean hasReceipts = known.containsKey(Sequence.RECEIPTS) || lastReceipt.isPresent();
    boolean isMissing = hasReceipts && findReceipts(later);
    return new Found(later, isMissing || (later.isEmpty() && isEmptied()));
  }

  private Optional<PackGroup> lastPackAfter(PackGroup last) throws DestinationException {
    String prefix = PackName.prefix(agent);
    ListedEntries all = new ListedEntries(destination, prefix, Optional.of(behind(prefix, last)));
    Optional<PackGroup> latest = Optional.empty();
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      Optional<PackGroup> group = PackName.parse(next.get().key()).map(name -> name.id().group());
      latest = later(latest, group.filter(bound::allows));
    }
    return latest;
  }

  /**
   * Looks at the receipts from the last known one on.
   *
   * @param later takes the last run that is later than the state knows
   * @return whether some of the known ones are missing
   */
  private boolean findReceipts(Map<Sequence, PackGroup> later) throws DestinationException {
    PackGroup last = known.getOrDefault(Sequence.RECEIPTS, PackGroup.EARLIEST);
    String prefix = ReceiptName.prefix(agent);
    Optional<NotedReceipt> own = lastReceipt.filter(noted -> noted.agent().equals(agent));
    Receipts found = receipts(own.map(KnownRuns::before).orElse(behind(prefix, last)), prefix);
    if (known.containsKey(Sequence.RECEIPTS)) {
      found
          .latest
          .filter(run -> run.compareTo(last) > 0)
          .ifPresent(run -> later.put(Sequence.RECEIPTS, run));
    }
    if (lastReceipt.isEmpty()) {
      return false;
    }
    NotedReceipt noted = lastReceipt.get();
    // Under another name than this one the last receipt is not missing here.
    RangeSet numbers =
        own.isPresent()
            ? found.numbers
            : receipts(before(noted), ReceiptName.prefix(noted.agent())).numbers;
    return !numbers.contains(new ByteRange(0, noted.receipt().last() + 1L));
  }

  /**
   * Returns whether nothing is there under a name under which bytes were delivered. Asks only where
   * no receipt tells whether the archive is the one that the state knows.
   */
  private boolean isEmptied() throws DestinationException {
    if (lastReceipt.isPresent()) {
      return false;
    }
    Optional<String> name;
    try {
      name = checkpoints.agentOfDurableBytes();
    } catch (IOException e) {
      throw stateFailed("read", e);
    }
    return name.isPresent()
        && new ListedEntries(destination, ArchiveNames.agentPrefix(name.get())).next().isEmpty();
  }

  /**
   * Receipts of a name.
   *
   * @param latest the last run
   * @param numbers those of the run of the last known receipt, which have no gaps
   */
  private record Receipts(Optional<PackGroup> latest, RangeSet numbers) {}

  private Receipts receipts(String after, String prefix) throws DestinationException {
    ListedEntries all = new ListedEntries(destination, prefix, Optional.of(after));
    Optional<PackGroup> latest = Optional.empty();
    RangeSet numbers = new RangeSet();
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      Optional<ReceiptName> name = ReceiptName.parse(next.get().key());
      if (name.isPresent() && isOfLastReceipt(name.get())) {
        numbers.add(new ByteRange(name.get().first(), name.get().last() + 1L));
      }
      latest = later(latest, name.map(ReceiptName::run).filter(bound::allows));
    }
    return new Receipts(latest, numbers);
  }

  private boolean isOfLastReceipt(ReceiptName name) {
    return lastReceipt.filter(noted -> noted.receipt().run().equals(name.run())).isPresent();
  }

  /** Returns what sorts before the receipts of the run of one. */
  private static String before(NotedReceipt noted) {
    return ReceiptName.prefix(noted.agent()) + noted.receipt().run();
  }

  private static Optional<PackGroup> later(Optional<PackGroup> one, Optional<PackGroup> other) {
    return Stream.concat(one.stream(), other.stream()).max(Comparator.naturalOrder());
  }

  /** Returns what sorts behind the keys of a group or run: a slash follows it in these. */
  private static String behind(String prefix, PackGroup group) {
    return prefix + group + (char) ('/' + 1);
  }

  /**
   * Forgets what the state says of files, before anything is read of what is true.
   *
   * @throws TransientDestinationException when that fails; a part may be forgotten
   */
  void forgetDelivered() throws DestinationException {
    try {
      checkpoints.forgetDelivered();
    } catch (IOException e) {
      throw stateFailed("changed", e);
    }
  }

  private TransientDestinationException stateFailed(String done, IOException e) {
    return new TransientDestinationException(
        destination.uri(),
        "list",
        PackName.prefix(agent),
        "the local state cannot be " + done + " to compare it: " + e.getMessage(),
        "Nothing is delivered until it can. Look at the disk of the state directory.",
        e);
  }

  /** Notes that the state knows of these runs from now on. */
  void note(Map<Sequence, PackGroup> runs) throws IOException {
    for (Map.Entry<Sequence, PackGroup> sequence : runs.entrySet()) {
      checkpoints.noteBegun(sequence.getKey(), sequence.getValue());
    }
  }

  /**
   * Forgets the last receipt, as what was delivered before: it would be missed again. Once the loss
   * is noted, since it may be all that tells of that.
   */
  void forgetReceipt() throws IOException {
    if (lastReceipt.isPresent()) {
      checkpoints.forgetReceipt(lastReceipt.get());
    }
  }
}
