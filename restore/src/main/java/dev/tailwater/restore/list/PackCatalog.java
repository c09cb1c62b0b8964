package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The packs of a listing with their directories. One read for each pack. For one use by one thread.
 */
final class PackCatalog {
  /** The packs of a group number their streams together. */
  private record Group(String agent, PackGroup name) {}

  private final SegmentSource source;
  private final Map<Group, List<ListedPack>> groups = new LinkedHashMap<>();
  private final Map<ListedPack, OpenedPack> opened = new ConcurrentHashMap<>();
  private final Map<ListedPack, Damage> failed = new ConcurrentHashMap<>();
  private final List<Damage> damages = new ArrayList<>();

  private PackCatalog(SegmentSource source) {
    this.source = source;
  }

  /**
   * Reads the directories of all packs and adds what they say to the streams. A pack that cannot be
   * read is noted as a damage.
   *
   * @param streams the streams by their prefix
   * @throws IOException the thread was interrupted
   */
  static PackCatalog read(
      SegmentSource source, List<ListedPack> listed, Map<String, ListedStream> streams, int jobs)
      throws IOException {
    PackCatalog catalog = new PackCatalog(source);
    List<ListedPack> inOrder =
        listed.stream()
            .sorted(
                Comparator.comparing((ListedPack pack) -> pack.name().id().agent())
                    .thenComparing(pack -> pack.name().id().group())
                    .thenComparingInt(pack -> pack.name().id().sequence()))
            .toList();
    for (ListedPack pack : inOrder) {
      Group group = new Group(pack.name().id().agent(), pack.name().id().group());
      catalog.groups.computeIfAbsent(group, any -> new ArrayList<>()).add(pack);
    }
    Jobs.forEach("restore-packs", inOrder, jobs, catalog::open);
    catalog.groups.forEach((group, packs) -> catalog.add(group, packs, streams));
    catalog.noteLocked();
    return catalog;
  }

  private void open(ListedPack pack) throws IOException {
    try {
      OpenedPack found = source.pack(pack.name());
      if (found.objectBytes() == pack.objectBytes()) {
        opened.put(pack, found);
      } else {
        failed.put(
            pack,
            Damage.of(
                pack.name().key(),
                "it has "
                    + pack.objectBytes()
                    + " bytes, and its directory is that of "
                    + found.objectBytes()));
      }
    } catch (ArchiveException e) {
      failed.put(pack, Damage.of(e));
    } catch (DestinationException e) {
      failed.put(pack, Damage.of(pack.name().key(), String.valueOf(e.getMessage())));
    }
  }

  private void add(Group group, List<ListedPack> packs, Map<String, ListedStream> streams) {
    PackedStreams known = new PackedStreams(group.agent(), streams);
    int expected = 0;
    for (ListedPack pack : packs) {
      int sequence = pack.name().id().sequence();
      if (sequence != expected) {
        damages.add(
            Damage.of(
                pack.name().key(),
                "of its group, the packs from "
                    + expected
                    + " to "
                    + (sequence - 1)
                    + " are missing"));
      }
      expected = sequence + 1;
      Optional.ofNullable(failed.get(pack))
          .filter(damage -> damage.kind() != Damage.Kind.LOCKED)
          .ifPresent(damages::add);
      Optional.ofNullable(opened.get(pack))
          .flatMap(found -> known.add(found, pack))
          .ifPresent(damages::add);
    }
  }

  /** One sentence for all packs that no identity opens. */
  private void noteLocked() {
    List<Damage> locked =
        groups.values().stream()
            .flatMap(List::stream)
            .flatMap(pack -> Optional.ofNullable(failed.get(pack)).stream())
            .filter(damage -> damage.kind() == Damage.Kind.LOCKED)
            .toList();
    if (!locked.isEmpty()) {
      Damage first = locked.getFirst();
      damages.add(
          new Damage(
              first.key(),
              Damage.Kind.LOCKED,
              first.offsetBytes(),
              locked.size() == 1
                  ? first.why()
                  : "this and "
                      + (locked.size() - 1)
                      + " more packs are encrypted, and no identity"
                      + " opens them"));
    }
  }

  /** Returns packs that cannot be read, and what is not in them. */
  List<Damage> damages() {
    return List.copyOf(damages);
  }
}
