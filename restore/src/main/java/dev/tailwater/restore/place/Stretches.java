package dev.tailwater.restore.place;

import dev.tailwater.archive.name.PackName;
import dev.tailwater.restore.PackedAt;
import dev.tailwater.restore.list.ArchivedStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The order in which files are restored: stretches of neighbours in a pack, each for one thread.
 * Neighbours share what is fetched and opened for them, and are in the same directory, in which
 * only one thread at a time can make a file.
 */
final class Stretches {
  /** More would save nothing, and leave threads without work at the end. */
  private static final int MOST_STREAMS = 128;

  /** How many stretches there are for each thread at least, so that all end at about one time. */
  private static final int FOR_EACH_THREAD = 8;

  private record InPack(PackedAt at, ArchivedStream stream) {}

  private Stretches() {}

  /** Returns those with segments of their own first, each alone, and then those in packs. */
  static List<List<ArchivedStream>> of(List<ArchivedStream> streams, int jobs) {
    List<List<ArchivedStream>> stretches = new ArrayList<>();
    Map<PackName, List<InPack>> packs = new HashMap<>();
    int packed = 0;
    for (ArchivedStream stream : streams) {
      Optional<PackedAt> first =
          stream.segments().isEmpty() ? Optional.empty() : stream.segments().getFirst().pack();
      if (first.isPresent()) {
        PackedAt at = first.get();
        packs.computeIfAbsent(at.pack().name(), _ -> new ArrayList<>()).add(new InPack(at, stream));
        packed++;
      } else {
        stretches.add(List.of(stream));
      }
    }
    int most = Math.clamp(packed / (jobs * FOR_EACH_THREAD), 1, MOST_STREAMS);
    packs.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(pack -> cut(pack.getValue(), most, stretches));
    return stretches;
  }

  private static void cut(List<InPack> pack, int most, List<List<ArchivedStream>> stretches) {
    pack.sort(Comparator.comparingInt(one -> one.at.index()));
    for (int from = 0; from < pack.size(); from += most) {
      stretches.add(
          pack.subList(from, Math.min(from + most, pack.size())).stream()
              .map(InPack::stream)
              .toList());
    }
  }
}
