package dev.tailwater.delivery.pack;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.delivery.trust.DoubtedStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the streams that packs mention which no trusted key has signed. Such a pack may name a
 * stream by the number that a trusted one gave it; the other way round counts nowhere. For one
 * thread.
 */
final class PackDoubts {
  private final String agent;
  private final Map<PackGroup, Map<Integer, DoubtedStream>> trustedNumbers = new HashMap<>();
  private final Map<PackGroup, Map<Integer, DoubtedStream>> doubtedNumbers = new HashMap<>();
  private final Map<String, DoubtedStream> byPrefix = new HashMap<>();

  private PackDoubts(String agent) {
    this.agent = agent;
  }

  /** Returns the streams that untrusted packs mention. */
  static List<DoubtedStream> of(String agent, PackDirectories directories) {
    Map<PackName, List<PackDirectory>> doubted = directories.doubted();
    Set<PackGroup> groups = new HashSet<>();
    for (List<PackDirectory> of : doubted.values()) {
      of.forEach(directory -> groups.add(directory.id().group()));
    }
    if (groups.isEmpty()) {
      return List.of();
    }
    PackDoubts doubts = new PackDoubts(agent);
    TreeMap<PackName, List<PackDirectory>> all = new TreeMap<>(directories.all());
    all.putAll(doubted);
    all.forEach(
        (name, of) -> {
          for (PackDirectory directory : of) {
            if (groups.contains(directory.id().group())) {
              doubts.add(directory, doubted.containsKey(name));
            }
          }
        });
    return List.copyOf(doubts.byPrefix.values());
  }

  private void add(PackDirectory directory, boolean isDoubted) {
    PackGroup group = directory.id().group();
    Map<Integer, DoubtedStream> numbers =
        (isDoubted ? doubtedNumbers : trustedNumbers).computeIfAbsent(group, _ -> new HashMap<>());
    for (PackedStream stream : directory.streams()) {
      String prefix = ArchiveNames.streamPrefix(agent, stream.birthPath(), stream.stream());
      DoubtedStream described = new DoubtedStream(stream.stream(), stream.birthPath(), prefix);
      numbers.put(stream.number(), described);
      if (isDoubted) {
        byPrefix.put(prefix, described);
      }
    }
    if (isDoubted) {
      for (PackedRange range : directory.ranges()) {
        Optional.ofNullable(numbers.get(range.number()))
            .or(() -> trusted(group, range.number()))
            .ifPresent(stream -> byPrefix.put(stream.streamPrefix(), stream));
      }
    }
  }

  private Optional<DoubtedStream> trusted(PackGroup group, int number) {
    return Optional.ofNullable(trustedNumbers.getOrDefault(group, Map.of()).get(number));
  }
}
