package dev.tailwater.lab.buffer;

import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conclusions from the tables of {@code buffer-allocation}. */
final class BufferAllocationConclusions {
  /** The growth of direct memory for each MiB in use above which buffers are not freed in time. */
  private static final double LATE = 2;

  /** The least number of JVMs. With fewer, the result would depend on chance. */
  private static final int MIN_RUNS = 3;

  private final ResultTable allocation;
  private final ResultTable stress;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final List<Recommendation> recommendations = new ArrayList<>();

  BufferAllocationConclusions(ResultTable allocation, ResultTable stress) {
    this.allocation = allocation;
    this.stress = stress;
    for (String size : distinct(allocation, BufferAllocationTables.SIZE)) {
      compare(BufferWay.HEAP, BufferWay.DIRECT, size);
      compare(BufferWay.ARENA, BufferWay.DIRECT, size);
      compare(BufferWay.POOL, BufferWay.HEAP, size);
      if (compare(BufferWay.POOL, BufferWay.DIRECT, size)) {
        recommendations.add(
            new Recommendation(
                Recommendation.Place.PROGRAM,
                "native buffers of " + size,
                "taken from a pool (dev.tailwater.io.buffer.BufferPool), not allocated each time",
                conclusions.getLast().text()));
      }
    }
    for (String threads : distinct(stress, BufferAllocationTables.THREADS)) {
      for (BufferWay way : BufferAllocationPlan.STRESSED) {
        memory(way, Integer.parseInt(threads));
      }
    }
  }

  List<Conclusion> conclusions() {
    return conclusions;
  }

  List<Recommendation> recommendations() {
    return recommendations;
  }

  private static List<String> distinct(ResultTable table, String parameter) {
    int column = table.parameters().indexOf(parameter);
    return table.rows().stream().map(row -> row.parameters().get(column)).distinct().toList();
  }

  /** Concludes how the two compare; returns whether the first is shown to be better. */
  private boolean compare(BufferWay one, BufferWay other, String size) {
    Optional<Contender> first = contender(one, size);
    Optional<Contender> second = contender(other, size);
    if (first.isEmpty() || second.isEmpty()) {
      return false;
    }
    conclusions.add(Verdict.of(BufferAllocationTables.BUFFERS, first.get(), second.get()));
    return Comparison.of(first.get().series(), second.get().series())
        .isShownBetter(BufferAllocationTables.BUFFERS);
  }

  private Optional<Contender> contender(BufferWay way, String size) {
    return Contender.of(
        way + " of " + size,
        allocation,
        BufferAllocationTables.BUFFERS.name(),
        Map.of(BufferAllocationTables.WAY, way.toString(), BufferAllocationTables.SIZE, size));
  }

  private void memory(BufferWay way, int threads) {
    Map<String, String> row =
        Map.of(
            BufferAllocationTables.WAY,
            way.toString(),
            BufferAllocationTables.THREADS,
            Integer.toString(threads));
    Optional<Series> grown = stress.series(BufferAllocationTables.GROWN.name(), row);
    Optional<Series> failed = stress.series(BufferAllocationTables.FAILED.name(), row);
    if (grown.isEmpty() || failed.isEmpty()) {
      return;
    }
    int runs = failed.get().samples().size();
    boolean enough = runs >= MIN_RUNS;
    long failures = failed.get().samples().stream().filter(value -> value == 1).count();
    double inUseMebibytes = threads * (BufferStress.BUFFER_BYTES / (double) (1 << 20));
    double mostMebibytes =
        grown.get().samples().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    conclusions.add(
        new Conclusion(
            enough ? Certainty.SHOWN : Certainty.TOO_NOISY,
            "%s, %d threads: memory grew by up to %s MiB where at most %s MiB are in use; %s%s%s."
                .formatted(
                    way,
                    threads,
                    Figures.text(mostMebibytes),
                    Figures.text(inUseMebibytes),
                    failures == 0
                        ? "no OutOfMemoryError"
                        : "%d of %d runs ended by OutOfMemoryError".formatted(failures, runs),
                    enough ? beside(way, threads, failures) : "",
                    enough ? "" : "; fewer than " + MIN_RUNS + " runs are too few to conclude")));
    if (enough
        && way == BufferWay.DIRECT
        && (failures > 0 || mostMebibytes > LATE * inUseMebibytes)) {
      recommendations.add(
          new Recommendation(
              Recommendation.Place.PROGRAM,
              "direct buffers",
              "allocated once and kept, or of an Arena that is closed: dropped ones are freed late",
              conclusions.getLast().text()));
    }
  }

  private static String beside(BufferWay way, int threads, long failures) {
    if (way != BufferWay.DIRECT || threads != 2) {
      return "";
    }
    return failures > 0
        ? ", as in the article (JDK 8)"
        : ", unlike in the article (JDK 8), whose program ended by one";
  }
}
