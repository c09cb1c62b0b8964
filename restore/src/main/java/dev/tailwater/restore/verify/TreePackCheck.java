package dev.tailwater.restore.verify;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ListedPack;
import dev.tailwater.restore.list.SegmentSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks the packs that tell directories and links: all of them, also those of earlier groups,
 * which nobody needs any more. Nobody merges or removes such packs.
 */
final class TreePackCheck {
  /** The packs of a group are numbered together. */
  private record Group(String agent, PackGroup name) {}

  private TreePackCheck() {}

  /** Returns what the names of the packs show: numbers that are missing in a group. */
  static List<Damage> names(ArchiveIndex index) {
    return inOrder(index.listedTreePacks(), Map.of());
  }

  /**
   * Opens every pack; encrypted ones need an identity.
   *
   * @throws IOException the thread was interrupted
   */
  static List<Damage> open(SegmentSource source, ArchiveIndex index, int jobs) throws IOException {
    Map<PackName, Damage> failed = new ConcurrentHashMap<>();
    List<ListedPack> packs = index.listedTreePacks();
    Jobs.forEach(
        "verify-trees",
        packs,
        jobs,
        pack -> open(source, pack).ifPresent(damage -> failed.put(pack.name(), damage)));
    return inOrder(packs, failed);
  }

  private static Optional<Damage> open(SegmentSource source, ListedPack pack) throws IOException {
    String key = pack.name().key();
    if (!pack.name().encrypted() && source.refusesPlain()) {
      return Optional.of(Damage.refusal(key));
    }
    try {
      OpenedPack opened = source.pack(pack.name());
      return opened.objectBytes() == pack.objectBytes()
          ? Optional.empty()
          : Optional.of(Damage.otherLength(key, pack.objectBytes(), opened.objectBytes()));
    } catch (ArchiveException e) {
      return Optional.of(Damage.of(e));
    } catch (NoSuchObjectException e) {
      return Optional.of(Damage.of(key, "it was listed and is not there any more"));
    } catch (DestinationException e) {
      return Optional.of(Damage.unreadable(key, e));
    }
  }

  /** Returns what is wrong with packs, and the numbers that no pack has which can be read. */
  private static List<Damage> inOrder(List<ListedPack> packs, Map<PackName, Damage> failed) {
    List<Damage> damages = new ArrayList<>();
    Map<Group, Integer> next = new HashMap<>();
    List<PackName> names =
        packs.stream().map(ListedPack::name).sorted(Comparator.naturalOrder()).toList();
    for (PackName name : names) {
      Optional.ofNullable(failed.get(name))
          .filter(damage -> damage.kind() != Damage.Kind.LOCKED)
          .ifPresent(damages::add);
      Group group = new Group(name.id().agent(), name.id().group());
      int expected = next.getOrDefault(group, 0);
      if (name.id().first() > expected) {
        damages.add(
            Damage.of(
                name.key(), "of its group, the pack with the number " + expected + " is missing"));
      }
      next.put(group, Math.max(expected, name.id().first() + 1));
    }
    List<Damage> locked =
        names.stream()
            .flatMap(name -> Optional.ofNullable(failed.get(name)).stream())
            .filter(damage -> damage.kind() == Damage.Kind.LOCKED)
            .toList();
    if (!locked.isEmpty()) {
      damages.add(Damage.together(locked));
    }
    return damages;
  }
}
