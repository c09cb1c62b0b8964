package dev.tailwater.delivery.pack;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the streams that packs mention which no trusted key has signed, and what these say of their
 * bytes. Such a pack may name a stream by the number that a trusted one gave it; the other way
 * round counts nowhere. For one thread.
 */
final class PackDoubts {
  private final String agent;
  private final Map<PackGroup, Map<Integer, PackedStream>> trustedNumbers = new HashMap<>();
  private final Map<PackGroup, Map<Integer, PackedStream>> doubtedNumbers = new HashMap<>();
  private final Map<String, HeldStream> byPrefix = new HashMap<>();

  private PackDoubts(String agent) {
    this.agent = agent;
  }

  /** Returns the streams that untrusted packs mention, with what those say of their bytes. */
  static List<HeldStream> of(String agent, PackDirectories directories) {
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
              doubts.add(directory, name.encrypted(), doubted.containsKey(name));
            }
          }
        });
    return List.copyOf(doubts.byPrefix.values());
  }

  private void add(PackDirectory directory, boolean encrypted, boolean isDoubted) {
    PackGroup group = directory.id().group();
    Map<Integer, PackedStream> numbers =
        (isDoubted ? doubtedNumbers : trustedNumbers).computeIfAbsent(group, _ -> new HashMap<>());
    for (PackedStream stream : directory.streams()) {
      numbers.put(stream.number(), stream);
      if (isDoubted) {
        var _ = held(stream);
      }
    }
    if (isDoubted) {
      for (PackedRange range : directory.ranges()) {
        Optional.ofNullable(numbers.get(range.number()))
            .or(() -> trusted(group, range.number()))
            .ifPresent(
                stream -> held(stream).add(range, encrypted, directory.sealedAtMillis(range)));
      }
    }
  }

  private HeldStream held(PackedStream stream) {
    String prefix = ArchiveNames.streamPrefix(agent, stream.birthPath(), stream.stream());
    return byPrefix.computeIfAbsent(prefix, _ -> new HeldStream(stream, prefix));
  }

  private Optional<PackedStream> trusted(PackGroup group, int number) {
    return Optional.ofNullable(trustedNumbers.getOrDefault(group, Map.of()).get(number));
  }
}
