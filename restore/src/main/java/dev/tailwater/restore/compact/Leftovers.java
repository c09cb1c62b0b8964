package dev.tailwater.restore.compact;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.merge.CoverCheck;
import dev.tailwater.archive.merge.CoverCheck.Verdict;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.compact.StoredPacks.Listed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The packs that a merged one covers. A run that was killed has left them; or somebody else, who
 * cannot remove anything, has made the merged one so that others do. They are of no use if the
 * merged one has all of their bytes. For one thread.
 */
final class Leftovers {
  private final StoredPacks packs;
  private final Segments segments;
  private final CompactOptions options;
  private final CompactCount count;

  /** Lists segments. */
  interface Segments {
    StoredSegments of(String agent) throws IOException;
  }

  Leftovers(StoredPacks packs, Segments segments, CompactOptions options, CompactCount count) {
    this.packs = packs;
    this.segments = segments;
    this.options = options;
    this.count = count;
  }

  /**
   * Returns those of the packs that are of no use.
   *
   * @param covered packs whose numbers the merged one covers
   */
  List<PackName> of(StoredPack merged, List<Listed> covered) throws IOException {
    try {
      PackInput input = input(merged);
      input.check();
      return unused(new CoverCheck(input), merged, opened(covered));
    } catch (NoSuchObjectException e) {
      return List.of(); // Merged just now.
    } catch (ArchiveException e) {
      count.damages.add(Damage.of(e));
      return List.of();
    }
  }

  private PackInput input(StoredPack pack) throws IOException {
    return new PackInput(pack.opened(), packs.readWhole(pack));
  }

  /** Opens packs; those that cannot be read stay. */
  private List<StoredPack> opened(List<Listed> covered) throws IOException {
    List<StoredPack> opened = new ArrayList<>();
    for (Listed pack : covered) {
      try {
        opened.add(packs.open(pack));
      } catch (ArchiveException | NoSuchObjectException e) {
        // What it had, nobody can tell.
      }
    }
    return opened;
  }

  private List<PackName> unused(CoverCheck check, StoredPack merged, List<StoredPack> covered)
      throws IOException {
    List<PackDirectory> directories =
        covered.stream().map(pack -> pack.opened().directory()).toList();
    Optional<StoredPack> atOdds =
        check.numbersAlike(directories) && check.saysAllOf(directories)
            ? Optional.empty()
            : covered.stream().findFirst();
    List<PackName> unused = new ArrayList<>();
    for (StoredPack pack : covered) {
      Optional<Verdict> verdict =
          atOdds.isPresent() ? Optional.of(Verdict.LACKS) : compare(check, merged, pack);
      if (verdict.isEmpty()) {
        return List.of();
      }
      if (verdict.get() == Verdict.LACKS) {
        noteLacking(merged, atOdds.orElse(pack));
        return List.of();
      }
      if (verdict.get() == Verdict.HAS || options.replacedByMillis() != CompactOptions.KEEP_ALL) {
        unused.add(pack.name());
      }
    }
    return unused;
  }

  private void noteLacking(StoredPack merged, StoredPack covered) {
    count.damages.add(
        Damage.contradiction(
            merged.name().key(),
            "it has the numbers of "
                + covered.name().key()
                + " and not all that this has: both stay. Readers use the first one only. Hint:"
                + " remove it if it is not yours"));
  }

  /** Compares a pack; empty if segments that may have what is left out are merged meanwhile. */
  private Optional<Verdict> compare(CoverCheck check, StoredPack merged, StoredPack pack)
      throws IOException {
    PackDirectory directory = pack.opened().directory();
    CoverCheck.Comparison comparison = check.with(directory, () -> input(pack));
    Verdict all = Verdict.HAS;
    Optional<SegmentCover> cover = Optional.empty();
    for (int index : inOrderOfMerged(directory.ranges())) {
      Verdict one = comparison.compare(index);
      if (one == Verdict.LACKS && directory.ranges().get(index).revision() == 0) {
        cover = Optional.of(cover.isPresent() ? cover.get() : cover(merged, pack));
        one = cover.get().of(List.of(pack)).isCovered(0, index) ? Verdict.HAS : one;
      }
      if (one == Verdict.LACKS) {
        return cover.filter(SegmentCover::isOutdated).isPresent()
            ? Optional.empty()
            : Optional.of(one);
      }
      all = one == Verdict.REPLACED ? one : all;
    }
    return Optional.of(all);
  }

  /** Returns ranges as merged packs sort them, so that each unit of these is decompressed once. */
  private static List<Integer> inOrderOfMerged(List<PackedRange> ranges) {
    return IntStream.range(0, ranges.size())
        .boxed()
        .sorted(
            Comparator.comparingInt((Integer index) -> ranges.get(index).number())
                .thenComparingLong(index -> ranges.get(index).revision()))
        .toList();
  }

  /** Finds out which ranges of a pack segments have too; the merged one describes its streams. */
  private SegmentCover cover(StoredPack merged, StoredPack pack) throws IOException {
    SegmentCover cover =
        SegmentCover.of(List.of(merged, pack), segments.of(pack.name().id().agent()), packs, count);
    var _ = cover.verify(List.of(pack));
    return cover;
  }
}
