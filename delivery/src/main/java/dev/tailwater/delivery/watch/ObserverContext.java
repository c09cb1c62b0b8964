package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.checkpoint.Arrivals;
import dev.tailwater.delivery.checkpoint.NameTable;
import dev.tailwater.delivery.keeper.QuietTails;
import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Comparisons;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What the watch of files works with.
 *
 * @param roots of the sources, which share the descriptors
 * @param names of files that left memory
 * @param keepers one for each destination
 * @param arrivals numbers the arrivals of files at paths
 */
public record ObserverContext(
    ObserverSettings settings,
    List<PosixPath> roots,
    TailOpener opener,
    FileRegistry registry,
    NameTable names,
    List<TailKeeper> keepers,
    Comparisons comparisons,
    Arrivals arrivals,
    RandomGenerator random,
    Problems problems) {
  public ObserverContext {
    keepers = List.copyOf(keepers);
  }

  /** Returns the tails of each lane whose files may be closed, and leave memory. */
  List<QuietTails> quietTails() {
    return keepers.stream().map(TailKeeper::quiet).toList();
  }
}
