package dev.tailwater.lab.memory;

import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.ForkedBenchmark;
import java.util.Locale;
import java.util.Map;

/**
 * One way of copying blocks of one size.
 *
 * @param target whether the lines of the target are in the cache before the copy
 */
record CopyVariant(Way way, int sizeBytes, StreamingCopyBenchmark.Target target) {
  /** A way of moving the bytes. */
  enum Way {
    ARRAYCOPY("System.arraycopy", "arraycopy"),
    SEGMENT("MemorySegment.copy", "segmentCopy"),
    MEMCPY("memcpy", "memcpy"),
    NON_TEMPORAL("non-temporal", "streaming");

    private final String words;
    private final String method;

    Way(String words, String method) {
      this.words = words;
      this.method = method;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  ForkedBenchmark benchmark() {
    return new ForkedBenchmark(
        StreamingCopyBenchmark.class,
        way.method,
        Map.of("sizeBytes", Integer.toString(sizeBytes), "target", target.name()),
        Copier.JVM_OPTIONS);
  }

  String targetInWords() {
    return target.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return way + " of " + Figures.size(sizeBytes) + ", target " + targetInWords();
  }
}
