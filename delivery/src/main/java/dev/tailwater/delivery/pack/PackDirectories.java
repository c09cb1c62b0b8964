package dev.tailwater.delivery.pack;

import dev.tailwater.archive.name.PackCover;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.destination.DestinationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The directories of packs, without those that a merged pack covers. A merged pack that is damaged
 * or not trusted covers nothing. For one thread.
 */
final class PackDirectories {
  private final TreeMap<PackName, List<PackDirectory>> read = new TreeMap<>();
  private final TreeMap<PackName, List<PackDirectory>> doubted = new TreeMap<>();
  private final Set<PackName> damaged = new HashSet<>();
  private Map<PackName, List<PackName>> coveredByMerged = Map.of();

  /** What is found under the name of a pack. */
  sealed interface Found {
    /** Its directories: of a pack that another host has merged, one for each that it covers. */
    record Read(List<PackDirectory> directories) implements Found {
      public Read {
        directories = List.copyOf(directories);
      }
    }

    /** Nothing any more. */
    record Gone() implements Found {}

    /** Not what the agent wrote. */
    record Damaged() implements Found {}

    /** Something that no trusted key has signed, with the directories that it has. */
    record Doubted(List<PackDirectory> directories) implements Found {
      public Doubted {
        directories = List.copyOf(directories);
      }
    }
  }

  /** Reads one. */
  interface Reader {
    Found read(PackName name) throws DestinationException;
  }

  /**
   * Reads the packs of a listing that were not read before.
   *
   * @return false when one is gone, and they must be listed again
   */
  boolean read(Collection<PackName> listed, Reader reader) throws DestinationException {
    List<PackName> names = new ArrayList<>(listed);
    names.removeAll(damaged);
    names.removeAll(doubted.keySet());
    read.keySet().retainAll(Set.copyOf(names));
    while (true) {
      Map<PackName, List<PackName>> byMerged = PackCover.covered(names);
      Set<PackName> covered = new HashSet<>();
      byMerged.values().forEach(covered::addAll);
      boolean anyUnfit = false;
      for (PackName name : names) {
        if (covered.contains(name) || read.containsKey(name)) {
          continue;
        }
        switch (reader.read(name)) {
          case Found.Read found -> read.put(name, found.directories());
          case Found.Gone _ -> {
            return false;
          }
          case Found.Damaged _ -> anyUnfit = damaged.add(name);
          case Found.Doubted found -> {
            doubted.put(name, found.directories());
            anyUnfit = true;
          }
        }
      }
      if (!anyUnfit) {
        read.keySet().removeAll(covered);
        coveredByMerged = byMerged;
        return true;
      }
      names.removeAll(damaged);
      names.removeAll(doubted.keySet());
    }
  }

  /** Returns the directories that count, in the order of their packs. */
  Map<PackName, List<PackDirectory>> all() {
    return read;
  }

  /** Returns the directories that do not count, of packs that no trusted key has signed. */
  Map<PackName, List<PackDirectory>> doubted() {
    return doubted;
  }

  /** Returns the packs that merged ones cover, by these, whose directories were read. */
  Map<PackName, List<PackName>> covered() {
    return coveredByMerged;
  }
}
