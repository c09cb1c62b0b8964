package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.name.PackCover;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The packs of a listing with their directories. One read for each pack that no manifest repeats.
 * For one use by one thread.
 */
final class PackCatalog {
  /** The packs of a group number their streams together. */
  private record Group(String agent, PackGroup name) {}

  private final SegmentSource source;
  private final Manifests manifests;
  private final int jobs;
  private final Map<Group, List<ListedPack>> groups = new LinkedHashMap<>();
  private final Map<PackName, OpenedPack> opened = new ConcurrentHashMap<>();

  /** Those that were opened as manifests repeat them. */
  private final Map<PackName, OpenedPack> repeated = new HashMap<>();

  private final Map<PackName, Damage> failed = new ConcurrentHashMap<>();
  private final Set<PackName> gone = ConcurrentHashMap.newKeySet();
  private final List<Damage> damages = new ArrayList<>();

  private PackCatalog(SegmentSource source, Manifests manifests, int jobs) {
    this.source = source;
    this.manifests = manifests;
    this.jobs = jobs;
  }

  /** Lists the packs again. */
  interface Listed {
    List<ListedPack> again() throws IOException;
  }

  /**
   * Reads the directories of all packs and adds what they say to the streams. A pack that cannot be
   * read is noted as a damage. Packs that a merged one covers are left out, as long as that one can
   * be read.
   *
   * @param lister asked when a pack is gone: packs are merged while somebody reads
   * @param manifests asked first
   * @param streams the streams that were listed
   * @throws IOException the thread was interrupted
   */
  static PackCatalog read(
      SegmentSource source,
      List<ListedPack> listed,
      Listed lister,
      Manifests manifests,
      ListedStreams streams,
      int jobs)
      throws IOException {
    PackCatalog catalog = new PackCatalog(source, manifests, jobs);
    catalog.openRepeated(listed);
    List<ListedPack> packs = catalog.open(listed);
    for (int i = 1; i < SegmentSource.MAX_LISTINGS && !catalog.gone.isEmpty(); i++) {
      catalog.gone.clear();
      packs = catalog.open(lister.again());
    }
    for (PackName lost : catalog.gone) {
      catalog.failed.put(lost, Damage.of(lost.key(), "it was listed and is not there any more"));
    }
    for (ListedPack pack : packs) {
      Group group = new Group(pack.name().id().agent(), pack.name().id().group());
      catalog.groups.computeIfAbsent(group, any -> new ArrayList<>()).add(pack);
    }
    catalog.groups.forEach((group, of) -> catalog.add(group, of, streams));
    catalog.noteLocked();
    manifests.noteForged(catalog::isAuthentic);
    return catalog;
  }

  /** Opens the packs that manifests repeat. */
  private void openRepeated(List<ListedPack> listed) throws IOException {
    Set<PackName> covered =
        PackCover.superseded(listed.stream().map(ListedPack::name).collect(Collectors.toSet()));
    List<ListedPack> wanted =
        listed.stream().filter(pack -> !covered.contains(pack.name())).toList();
    repeated.putAll(manifests.open(wanted));
    opened.putAll(repeated);
  }

  /** Opens packs; returns those that count, in their order. */
  private List<ListedPack> open(List<ListedPack> listed) throws IOException {
    List<ListedPack> inOrder =
        listed.stream().sorted(Comparator.comparing(ListedPack::name)).toList();
    while (true) {
      Set<PackName> readable = new HashSet<>();
      for (ListedPack pack : inOrder) {
        // Anybody can write a pack that no identity opens: it supersedes nothing either.
        if (!failed.containsKey(pack.name())) {
          readable.add(pack.name());
        }
      }
      Set<PackName> covered = PackCover.superseded(readable);
      List<ListedPack> wanted =
          inOrder.stream().filter(pack -> !covered.contains(pack.name())).toList();
      List<ListedPack> unopened =
          wanted.stream()
              .filter(pack -> !opened.containsKey(pack.name()) && !failed.containsKey(pack.name()))
              .toList();
      Jobs.forEach("restore-packs", unopened, jobs, this::open);
      if (unopened.stream().noneMatch(pack -> failed.containsKey(pack.name()))) {
        return wanted;
      }
    }
  }

  private boolean isDamaged(PackName name) {
    return Optional.ofNullable(failed.get(name))
        .filter(damage -> damage.kind() != Damage.Kind.LOCKED)
        .isPresent();
  }

  /** Whether the pack itself, which was read, has a signature that counts. */
  private boolean isAuthentic(PackName name) {
    return opened.containsKey(name) || (failed.containsKey(name) && !isDamaged(name));
  }

  private void open(ListedPack pack) throws IOException {
    PackName name = pack.name();
    try {
      OpenedPack found = source.pack(name);
      if (found.objectBytes() == pack.objectBytes()) {
        opened.put(name, found);
      } else {
        failed.put(name, Damage.otherLength(name.key(), pack.objectBytes(), found.objectBytes()));
      }
    } catch (ArchiveException e) {
      failed.put(name, Damage.of(e));
    } catch (NoSuchObjectException e) {
      gone.add(name);
    } catch (DestinationException e) {
      failed.put(name, Damage.unreadable(name.key(), e));
    }
  }

  private void add(Group group, List<ListedPack> packs, ListedStreams streams) {
    // Nobody who can write plain packs alone says which streams encrypted ones are about.
    PackedStreams encrypted = new PackedStreams(group.agent(), streams, source.atMillis());
    PackedStreams plain = new PackedStreams(group.agent(), streams, source.atMillis());
    int expected = 0;
    for (ListedPack pack : packs) {
      PackId id = pack.name().id();
      if (id.first() > expected) {
        damages.add(
            Damage.of(
                pack.name().key(),
                "of its group, the packs from "
                    + expected
                    + " to "
                    + (id.first() - 1)
                    + " are missing"));
      }
      expected = Math.max(expected, id.last() + 1);
      Optional.ofNullable(failed.get(pack.name()))
          .filter(damage -> damage.kind() != Damage.Kind.LOCKED)
          .ifPresent(damages::add);
      Optional.ofNullable(opened.get(pack.name()))
          .flatMap(found -> (pack.name().encrypted() ? encrypted : plain).add(found, pack))
          .ifPresent(damages::add);
    }
  }

  /** One sentence for all packs that no identity opens. */
  private void noteLocked() {
    List<Damage> locked =
        groups.values().stream()
            .flatMap(List::stream)
            .flatMap(pack -> Optional.ofNullable(failed.get(pack.name())).stream())
            .filter(damage -> damage.kind() == Damage.Kind.LOCKED)
            .toList();
    if (!locked.isEmpty()) {
      damages.add(Damage.together(locked));
    }
  }

  /** Returns packs that cannot be read, and what is not in them. */
  List<Damage> damages() {
    return List.copyOf(damages);
  }

  /** Returns manifests that cannot be read: nothing is missing for that. */
  List<Damage> manifestDamages() {
    return manifests.damages();
  }

  /** Returns the packs whose directories were read in manifests only. */
  List<OpenedPack> repeated() {
    return List.copyOf(repeated.values());
  }
}
