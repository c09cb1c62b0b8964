package dev.tailwater.restore.compact;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackCover;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.compact.StoredPacks.Group;
import dev.tailwater.restore.compact.StoredPacks.Listed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Rewrites the packs of an archive into fewer, longer ones. It may be interrupted at any time and
 * started again, and agents may run meanwhile: a merged pack is read back before a pack that it
 * covers is removed, and readers know what to do with both. For one use by one thread.
 */
public final class Compactor {
  /** How often a group is listed again in which packs are gone: its agent merges them. */
  private static final int MOST_LISTINGS = 5;

  /** How many raw bytes are sorted at once. */
  static final int SORTED_BYTES = 32 << 20;

  private final Destination destination;
  private final CompactOptions options;
  private final RestoreProgress progress;
  private final InstantSource clock;
  private final StoredPacks packs;
  private final CompactCount count = new CompactCount();
  private final Map<String, StoredSegments> segmentsByAgent = new HashMap<>();

  /**
   * Creates a compactor.
   *
   * @param clock for the names of manifests, and to tell which groups agents may have begun
   */
  public Compactor(
      Destination destination,
      CompactOptions options,
      RestoreProgress progress,
      InstantSource clock) {
    this.clock = clock;
    this.destination = destination;
    this.options = options;
    this.progress = progress;
    this.packs = new StoredPacks(destination, options.reading());
  }

  /**
   * Compacts the archive.
   *
   * @throws IOException the destination failed for good, or longer than the retries last; what was
   *     done until then stays done
   */
  public CompactReport compact() throws IOException {
    Map<Group, List<Listed>> groups = packs.groups(options.agent());
    Map<Group, List<Listed>> old = new HashMap<>();
    groups.forEach(
        (group, listed) -> {
          count.packs += listed.size();
          if (listed.stream().anyMatch(pack -> pack.modifiedMillis() > options.beforeMillis())) {
            count.youngPacks += listed.size();
          } else {
            old.put(group, listed);
          }
        });
    long bytes = old.values().stream().flatMap(List::stream).mapToLong(Listed::objectBytes).sum();
    progress.planned(old.size(), bytes);
    try (PackSealer plain = sealer(false);
        PackSealer encrypted = sealer(true)) {
      for (Group group : groups.keySet()) {
        if (old.containsKey(group)) {
          compact(group, old.getOrDefault(group, List.of()), plain, encrypted);
          progress.finished();
        }
      }
      GroupJoiner.Replacement replacement = replacement(plain, encrypted);
      EndedGroups ended = new EndedGroups(packs, old.keySet(), new GroupBound(clock::millis));
      new GroupJoiner(packs, ended, options, count, replacement).join(now(groups));
      if (options.replacedByMillis() != CompactOptions.KEEP_ALL) {
        new ReplacedRemover(packs, ended, options, count, replacement).remove(now(groups));
      }
    }
    if (!options.dryRun()) {
      repairManifests(groups.keySet());
    }
    return count.report();
  }

  private Map<Group, List<Listed>> now(Map<Group, List<Listed>> before) throws IOException {
    return options.dryRun() ? before : packs.groups(options.agent());
  }

  private GroupJoiner.Replacement replacement(PackSealer plain, PackSealer encrypted) {
    return new GroupJoiner.Replacement() {
      @Override
      public void put(SealedPack pack) throws IOException {
        packs.put(pack.name().key(), pack.content());
        requireSame(pack);
      }

      @Override
      public void remove(PackName name) throws IOException {
        Compactor.this.remove(name);
      }

      @Override
      public PackSealer sealer(boolean isEncrypted) {
        return isEncrypted ? encrypted : plain;
      }
    };
  }

  private void repairManifests(Set<Group> groups) throws IOException {
    Set<String> agents = groups.stream().map(Group::agent).collect(Collectors.toSet());
    for (String agent : new TreeSet<>(agents)) {
      new ManifestRepair(packs, options.reading().random(), count, agent)
          .run(clock.millis(), options.beforeMillis());
    }
  }

  private PackSealer sealer(boolean encrypted) {
    // The agent's own key is not known here; the directories that it wrote for itself are carried.
    return new PackSealer(
        options.codec(),
        encrypted ? options.recipients() : List.of(),
        Optional.empty(),
        new SecureRandom(),
        options.signer());
  }

  private void compact(Group group, List<Listed> first, PackSealer plain, PackSealer encrypted)
      throws IOException {
    List<Listed> listed = first;
    for (int listings = 1; ; listings++) {
      try {
        while (compact(listed, plain, encrypted)) {
          listed = packs.list(group); // What is left may fit together.
        }
        return;
      } catch (NoSuchObjectException e) {
        if (listings == MOST_LISTINGS) {
          count.damages.add(
              Damage.of(group.name().text(), "its packs change all the time: " + e.getMessage()));
          return;
        }
        listed = packs.list(group);
      }
    }
  }

  /** Merges packs; returns whether so much was left out that more of them may fit together. */
  private boolean compact(List<Listed> listed, PackSealer plain, PackSealer encrypted)
      throws IOException {
    long coveredBefore = count.coveredBytes;
    Map<PackName, StoredPack> opened = new HashMap<>();
    Set<PackName> names = new HashSet<>();
    for (Listed pack : listed) {
      names.add(pack.name());
    }
    List<StoredPack> current = current(listed, names, opened);
    List<StoredPack> mergeable = removeWhatAnEarlierRunLeft(listed, current);
    SegmentCover cover = cover(mergeable);
    for (List<StoredPack> chunk : chunks(mergeable, cover)) {
      boolean isEncrypted = chunk.getFirst().name().encrypted();
      if (lacksRecipient(chunk)) {
        chunk.forEach(pack -> count.withoutRecipient.add(pack.name()));
      } else if (lacksSigner(chunk)) {
        chunk.forEach(pack -> count.withoutSigner.add(pack.name()));
      } else {
        merge(chunk, cover, isEncrypted ? encrypted : plain);
      }
    }
    for (StoredPack pack : current) {
      progress.done(pack.objectBytes());
    }
    return !options.dryRun() && count.coveredBytes > coveredBefore;
  }

  /** Finds out what of packs is in segments too. */
  private SegmentCover cover(List<StoredPack> current) throws IOException {
    StoredSegments segments =
        current.size() > 1 // Otherwise nothing is merged.
            ? segments(current.getFirst().name().id().agent())
            : new StoredSegments();
    return SegmentCover.of(current, segments, packs, count);
  }

  /** Lists the segments of an agent, once. */
  private StoredSegments segments(String agent) throws IOException {
    Optional<StoredSegments> known = Optional.ofNullable(segmentsByAgent.get(agent));
    StoredSegments segments = known.isPresent() ? known.get() : packs.segments(agent);
    segmentsByAgent.put(agent, segments);
    return segments;
  }

  /** Returns which packs are merged with each other, after what is left out is certain. */
  private List<List<StoredPack>> chunks(List<StoredPack> current, SegmentCover cover)
      throws IOException {
    while (true) {
      List<List<StoredPack>> chunks = PackChunks.of(current, cover);
      boolean isCertain = true;
      for (List<StoredPack> chunk : chunks) {
        if (!options.dryRun() && !lacksRecipient(chunk) && !lacksSigner(chunk)) {
          isCertain &= cover.verify(chunk);
        }
      }
      if (isCertain) {
        return chunks;
      }
    }
  }

  private boolean lacksRecipient(List<StoredPack> chunk) {
    return chunk.getFirst().name().encrypted() && options.recipients().isEmpty();
  }

  private boolean lacksSigner(List<StoredPack> chunk) {
    return options.signer().isEmpty() && chunk.stream().anyMatch(pack -> pack.opened().isSigned());
  }

  /** Opens the packs that no readable one covers; notes the others that cannot be read. */
  private List<StoredPack> current(
      List<Listed> listed, Set<PackName> names, Map<PackName, StoredPack> opened)
      throws IOException {
    while (true) {
      Set<PackName> covered = PackCover.superseded(names);
      boolean allRead = true;
      for (Listed pack : listed) {
        PackName name = pack.name();
        if (!names.contains(name) || covered.contains(name) || opened.containsKey(name)) {
          continue;
        }
        try {
          opened.put(name, packs.open(pack));
        } catch (ArchiveException e) {
          count.damages.add(Damage.of(e));
          names.remove(name);
          allRead = false;
        }
      }
      if (allRead) {
        return names.stream()
            .filter(name -> !covered.contains(name))
            .sorted()
            .flatMap(name -> Optional.ofNullable(opened.get(name)).stream())
            .toList();
      }
    }
  }

  private void merge(List<StoredPack> chunk, SegmentCover cover, PackSealer sealer)
      throws IOException {
    long coveredBytes = chunk.stream().mapToLong(cover::coveredRawBytes).sum();
    if (options.dryRun()) {
      count.merge(chunk, Optional.empty());
      count.coveredBytes += coveredBytes;
      return;
    }
    Optional<SealedPack> sealed = seal(chunk, cover, sealer);
    if (sealed.isEmpty()) {
      return;
    }
    SealedPack merged = sealed.get();
    packs.put(merged.name().key(), merged.content());
    requireSame(merged);
    count.merge(chunk, sealed);
    count.coveredBytes += coveredBytes;
    for (StoredPack pack : chunk) {
      remove(pack.name());
    }
  }

  /** Makes the merged pack; empty when a pack is damaged, or they are at odds. */
  private Optional<SealedPack> seal(List<StoredPack> chunk, SegmentCover cover, PackSealer sealer)
      throws IOException {
    List<PackInput> inputs = new ArrayList<>();
    List<AgeStanza> carried = new ArrayList<>();
    try {
      for (StoredPack pack : chunk) {
        byte[] object = cover.coversAllOf(pack) ? new byte[0] : packs.readWhole(pack);
        inputs.add(new PackInput(pack.opened(), object));
        carried.addAll(pack.carried());
      }
      Optional<PackMerge> merge =
          PackMerge.of(inputs, carried, options.replacedByMillis(), cover.of(chunk));
      if (merge.isEmpty()) {
        count.damages.add(
            Damage.contradiction(
                chunk.getFirst().name().key(),
                "this pack and others up to "
                    + chunk.getLast().name().key()
                    + " hold different ranges that overlap, and stay as they are"));
        return Optional.empty();
      }
      return Optional.of(
          merge.get().sorting(SORTED_BYTES).seal(sealer, () -> {}, Optional.empty()));
    } catch (ArchiveException e) {
      count.damages.add(Damage.of(e));
      return Optional.empty();
    }
  }

  /** Reads a pack back: nothing may be removed unless it is there as it was made. */
  private void requireSame(SealedPack merged) throws IOException {
    byte[] there = packs.read(merged.name(), merged.content().remaining() + 1L);
    if (!ByteBuffer.wrap(there).equals(merged.content())) {
      throw new PermanentDestinationException(
          destination.uri(),
          "read",
          merged.name().key(),
          "the object that was put has other bytes when it is read",
          "Nothing was removed. See whether somebody else compacts this archive.");
    }
  }

  private void remove(PackName name) throws IOException {
    packs.delete(name.key());
    count.remove(name);
  }

  /**
   * Removes packs that a merged one covers, after reading all that the merged one holds. Returns
   * the packs that cover no other one any more: merged with others, one that somebody else has made
   * could not be told apart from these.
   */
  private List<StoredPack> removeWhatAnEarlierRunLeft(List<Listed> listed, List<StoredPack> current)
      throws IOException {
    if (options.dryRun()) {
      return current;
    }
    Leftovers leftovers = new Leftovers(packs, this::segments, options, count);
    NavigableMap<Integer, List<Listed>> byFirst = new TreeMap<>();
    for (Listed pack : listed) {
      byFirst.computeIfAbsent(pack.name().id().first(), _ -> new ArrayList<>()).add(pack);
    }
    List<StoredPack> alone = new ArrayList<>();
    for (StoredPack wide : current) {
      PackId id = wide.name().id();
      List<Listed> covered =
          byFirst.subMap(id.first(), true, id.last(), true).values().stream()
              .flatMap(List::stream)
              .filter(pack -> PackCover.covers(wide.name(), pack.name()))
              .toList();
      List<PackName> unused = covered.isEmpty() ? List.of() : leftovers.of(wide, covered);
      for (PackName name : unused) {
        remove(name);
      }
      if (unused.size() == covered.size()) {
        alone.add(wide);
      }
    }
    return alone;
  }
}
