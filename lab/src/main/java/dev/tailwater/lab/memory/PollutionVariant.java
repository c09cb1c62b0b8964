package dev.tailwater.lab.memory;

import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.ForkedBenchmark;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Map;

/** A thread that works in a cache into which another thread, or the thread itself, copies. */
record PollutionVariant(Victim victim, int workingSetBytes, Copier copier) {
  private static final int LINE_BYTES = 64;
  private static final double NANOS_PER_MICRO = 1e3;

  /** The microseconds of a copy of a mebibyte, including the wait for its turn. */
  private static final double MICROS_PER_COPY =
      1e6 / CopyingNeighbourBenchmark.MEBIBYTES_PER_SECOND;

  /** The kind of victim. */
  enum Victim {
    /** A thread on another processor at the same time, which shares some caches with the copier. */
    BESIDE("another thread meanwhile"),
    /** The thread that copies, after each copy: its own caches are affected too. */
    AFTERWARDS("the same thread afterwards");

    private final String words;

    Victim(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  ForkedBenchmark benchmark() {
    Map<String, String> parameters =
        Map.of("copier", copier.name(), "workingSetBytes", Integer.toString(workingSetBytes));
    return switch (victim) {
      case BESIDE ->
          new ForkedBenchmark(
              CopyingNeighbourBenchmark.class, "group", parameters, Copier.JVM_OPTIONS);
      case AFTERWARDS ->
          new ForkedBenchmark(CopyThenWorkBenchmark.class, "walk", parameters, Copier.JVM_OPTIONS);
    };
  }

  /**
   * Returns the methods whose scores are needed, that of the victim first; empty if the score of
   * the whole benchmark is.
   */
  List<String> methods() {
    return victim == Victim.BESIDE ? List.of("walk", "copy") : List.of();
  }

  /**
   * Returns the part of the rate that the copier had, 1 if it kept the rate. A slower copier
   * disturbs its victim less than others do. A thread that copies between its walks has no rate to
   * keep.
   *
   * @param measured microseconds of each of {@link #methods}
   */
  double keptShare(List<Series> measured) {
    return victim == Victim.BESIDE
        ? MICROS_PER_COPY / Math.max(MICROS_PER_COPY, measured.getLast().median())
        : 1;
  }

  /** Returns the factor from the microseconds of a walk to nanoseconds for each line. */
  double nanosPerMicroOfWalk() {
    int lines =
        victim == Victim.BESIDE
            ? CopyingNeighbourBenchmark.WALKED_LINES
            : workingSetBytes / LINE_BYTES;
    return NANOS_PER_MICRO / lines;
  }

  String copierInWords() {
    return switch (copier) {
      case NONE -> "nobody copies";
      case ARRAYCOPY -> CopyVariant.Way.ARRAYCOPY.toString();
      case MEMCPY -> CopyVariant.Way.MEMCPY.toString();
      case STREAMING -> CopyVariant.Way.NON_TEMPORAL.toString();
    };
  }

  @Override
  public String toString() {
    return "%s in %s, %s".formatted(victim, Figures.size(workingSetBytes), copierInWords());
  }
}
