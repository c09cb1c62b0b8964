package dev.tailwater.restore.compact;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.merge.JoinedCheck;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.PackCover;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.compact.StoredPacks.Group;
import dev.tailwater.restore.compact.StoredPacks.Listed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes one pack of all packs of neighbouring groups, where these are short: each run of an agent
 * leaves at least one group. The pack is one of the last of these groups and takes the place of its
 * packs. Then the packs of the earlier groups are removed, the last ones first, so that a crash
 * leaves groups that can be read: what they say is said by the pack as well. For one thread.
 */
final class GroupJoiner {
  /** The most streams of one pack: their descriptions are in memory. */
  private static final int MOST_STREAMS = 100_000;

  private final StoredPacks packs;
  private final EndedGroups ended;
  private final CompactOptions options;
  private final CompactCount count;
  private final Replacement replacement;
  private final List<List<StoredPack>> chunk = new ArrayList<>();
  private Size chunkSize = Size.NONE;

  /** Changes what is at the destination. */
  interface Replacement {
    /** Puts a pack, and reads it back. */
    void put(SealedPack pack) throws IOException;

    void remove(PackName name) throws IOException;

    /** Returns the sealer of a kind of packs. */
    PackSealer sealer(boolean encrypted);
  }

  GroupJoiner(
      StoredPacks packs,
      EndedGroups ended,
      CompactOptions options,
      CompactCount count,
      Replacement replacement) {
    this.packs = packs;
    this.ended = ended;
    this.options = options;
    this.count = count;
    this.replacement = replacement;
  }

  /**
   * Joins groups.
   *
   * @param groups all of them, in their order, as they are now
   */
  void join(Map<Group, List<Listed>> groups) throws IOException {
    List<Group> inOrder = List.copyOf(groups.keySet());
    for (int i = 0; i + 1 < inOrder.size(); i++) {
      Group group = inOrder.get(i);
      Group next = inOrder.get(i + 1);
      Optional<List<StoredPack>> whole =
          ended.hasEnded(group, next, groups.getOrDefault(next, List.of()))
              ? whole(groups.getOrDefault(group, List.of()))
              : Optional.empty();
      if (whole.isPresent()) {
        add(whole.get());
      } else {
        flush();
      }
    }
    flush();
  }

  /** Adds a group to the chunk, or begins another one with it. */
  private void add(List<StoredPack> group) throws IOException {
    Size with = chunkSize.with(group);
    if (!with.fits()) {
      flush();
      with = Size.NONE.with(group);
    }
    chunk.add(group);
    chunkSize = with;
  }

  /** Opens the packs of a group; empty if it stays as it is. */
  private Optional<List<StoredPack>> whole(List<Listed> listed) throws IOException {
    Set<PackName> superseded =
        PackCover.superseded(listed.stream().map(Listed::name).collect(Collectors.toSet()));
    long bytes = listed.stream().mapToLong(Listed::objectBytes).sum();
    if (!superseded.isEmpty() || bytes > PackChunks.MOST_BYTES) {
      return Optional.empty();
    }
    List<StoredPack> opened = new ArrayList<>();
    int expected = 0;
    for (Listed pack : listed) {
      if (pack.name().id().first() != expected) {
        return Optional.empty();
      }
      expected = pack.name().id().last() + 1;
      try {
        opened.add(packs.open(pack));
      } catch (ArchiveException | NoSuchObjectException e) {
        return Optional.empty(); // It was named before, or was merged just now.
      }
    }
    return Optional.of(opened);
  }

  private static boolean isSigned(List<StoredPack> group) {
    return group.stream().anyMatch(pack -> pack.opened().isSigned());
  }

  /** What the packs of one chunk have in common: a signed group is signed as a whole. */
  private record Kind(boolean encrypted, boolean signed) {}

  /** How much some groups are: a running total, since a chunk may be of thousands. */
  private record Size(
      long bytes, long rawBytes, long streams, PackChunks.Told told, Set<Kind> kinds) {
    static final Size NONE = new Size(0, 0, 0, PackChunks.Told.NOTHING, Set.of());

    Size with(List<StoredPack> group) {
      boolean signed = isSigned(group);
      Set<Kind> allKinds = new HashSet<>(kinds);
      Size size = this;
      for (StoredPack pack : group) {
        allKinds.add(new Kind(pack.name().encrypted(), signed));
        size = size.with(pack, allKinds);
      }
      return size;
    }

    private Size with(StoredPack pack, Set<Kind> allKinds) {
      return new Size(
          bytes + pack.objectBytes(),
          rawBytes + pack.opened().directory().rawBytes(),
          streams + pack.opened().directory().streams().size(),
          told.with(pack),
          allKinds);
    }

    boolean fits() {
      return kinds.size() <= 1
          && bytes <= PackChunks.MOST_BYTES
          && rawBytes <= PackChunks.MOST_RAW_BYTES
          && streams <= MOST_STREAMS
          && told.fits();
    }
  }

  private void flush() throws IOException {
    List<List<StoredPack>> groups = List.copyOf(chunk);
    chunk.clear();
    chunkSize = Size.NONE;
    if (groups.size() < 2) {
      return;
    }
    List<StoredPack> all = groups.stream().flatMap(List::stream).toList();
    boolean encrypted = all.getFirst().name().encrypted();
    if (isSigned(all)) {
      // Receipts name the packs of a signed group: under another name they would count as missing.
      count.signedApart += all.size();
    } else if (encrypted && options.recipients().isEmpty()) {
      all.forEach(pack -> count.withoutRecipient.add(pack.name()));
    } else if (options.dryRun()) {
      count.merge(all, Optional.empty());
    } else {
      try {
        join(groups, all, replacement.sealer(encrypted));
      } catch (NoSuchObjectException e) {
        // Merged just now; the next run sees what there is.
      }
    }
  }

  private void join(List<List<StoredPack>> groups, List<StoredPack> all, PackSealer sealer)
      throws IOException {
    List<PackInput> inputs = new ArrayList<>();
    List<AgeStanza> carried = new ArrayList<>();
    for (StoredPack pack : all) {
      inputs.add(new PackInput(pack.opened(), packs.readWhole(pack)));
      carried.addAll(pack.carried());
    }
    try {
      boolean isLeftover = groups.getLast().size() == 1 && JoinedCheck.holds(inputs);
      if (isLeftover || replace(groups, all, PackMerge.joining(inputs, carried), sealer)) {
        removeEarlier(groups);
      }
    } catch (ArchiveException e) {
      count.damages.add(Damage.of(e));
    }
  }

  /** Puts the joined pack in the place of the last group; false if it cannot be made. */
  private boolean replace(
      List<List<StoredPack>> groups,
      List<StoredPack> all,
      Optional<PackMerge> merge,
      PackSealer sealer)
      throws IOException {
    if (merge.isEmpty()) {
      count.damages.add(
          Damage.contradiction(
              all.getFirst().name().key(),
              "this pack and others up to "
                  + all.getLast().name().key()
                  + " cannot be told in one, and stay as they are"));
      return false;
    }
    SealedPack joined =
        merge.get().sorting(Compactor.SORTED_BYTES).seal(sealer, () -> {}, Optional.empty());
    if (all.stream().anyMatch(pack -> pack.name().equals(joined.name()))) {
      return false; // Nothing else may have its name.
    }
    replacement.put(joined);
    count.merge(all, Optional.of(joined));
    for (StoredPack pack : groups.getLast()) {
      replacement.remove(pack.name());
    }
    return true;
  }

  private void removeEarlier(List<List<StoredPack>> groups) throws IOException {
    for (List<StoredPack> group : groups.subList(0, groups.size() - 1)) {
      for (StoredPack pack : group.reversed()) {
        replacement.remove(pack.name());
      }
    }
  }
}
