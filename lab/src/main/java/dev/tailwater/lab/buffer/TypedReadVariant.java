package dev.tailwater.lab.buffer;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.ForkedBenchmark;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One way of adding up the numbers of a file.
 *
 * @param bufferBytes of the buffer; meaningless for {@link Way#UNBUFFERED}
 */
record TypedReadVariant(Way way, ValueType type, Order order, int bufferBytes) {
  /** A way of reading the numbers from the file. */
  enum Way {
    DIRECT("direct buffer", "directBuffer"),
    HEAP("heap buffer", "heapBuffer"),
    STREAM("buffered stream", "dataInputStream"),
    UNBUFFERED("unbuffered stream", "unbufferedStream"),
    NEXT("ours, one by one", "next"),
    FOR_EACH("ours, for each", "forEach");

    private final String words;
    private final String method;

    Way(String words, String method) {
      this.words = words;
      this.method = method;
    }

    /** Returns whether only big endian is supported, as by a DataInputStream. */
    private boolean isBigEndianOnly() {
      return this == STREAM || this == UNBUFFERED;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** The type of the numbers. */
  enum ValueType {
    INT,
    DOUBLE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The order of their bytes. */
  enum Order {
    LITTLE,
    BIG;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT) + " endian";
    }
  }

  /** The word in place of the size if there is no buffer. */
  static final String NO_BUFFER = "none";

  private static final int KIB = 1024;

  /**
   * Returns the variants for an effort. A quick run has only ints, and the size above which the
   * article found no further gain.
   */
  static List<TypedReadVariant> of(Effort effort) {
    List<Integer> sizes =
        effort.pick(
            List.of(256 * KIB),
            List.of(8 * KIB, 256 * KIB),
            List.of(8 * KIB, 64 * KIB, 256 * KIB, 1024 * KIB));
    List<ValueType> types =
        effort.pick(
            List.of(ValueType.INT), List.of(ValueType.values()), List.of(ValueType.values()));
    List<TypedReadVariant> variants = new ArrayList<>();
    for (ValueType type : types) {
      for (Order order : Order.values()) {
        for (Way way : Way.values()) {
          boolean applies = order == Order.BIG || !way.isBigEndianOnly();
          if (applies && (effort != Effort.QUICK || isQuick(way, order))) {
            // Without a buffer there is no size to vary.
            for (int size : way == Way.UNBUFFERED ? List.of(0) : sizes) {
              variants.add(new TypedReadVariant(way, type, order, size));
            }
          }
        }
      }
    }
    return variants;
  }

  /**
   * Returns whether a quick run has the variant: each kind of buffer in the order that is its own,
   * and one to compare streams with.
   */
  private static boolean isQuick(Way way, Order order) {
    return way != Way.NEXT && (order == Order.LITTLE || way.isBigEndianOnly() || way == Way.DIRECT);
  }

  ForkedBenchmark benchmark() {
    String suffix = type == ValueType.INT ? "Int" : "Double";
    return new ForkedBenchmark(
        ValueReaderBenchmark.class,
        way.method + suffix,
        Map.of(
            "bufferBytes", Integer.toString(Math.max(bufferBytes, 8 * KIB)), "order", order.name()),
        List.of("-Xmx128m", "-XX:+UseSerialGC"));
  }

  /** Returns the factor from the score to whole files per second. */
  double filesPerRun() {
    return way == Way.UNBUFFERED
        ? (double) ValueReaderBenchmark.UNBUFFERED_BYTES / ValueReaderBenchmark.FILE_BYTES
        : 1;
  }

  String bufferInWords() {
    return way == Way.UNBUFFERED ? NO_BUFFER : Figures.size(bufferBytes);
  }

  @Override
  public String toString() {
    return way + ", " + type + ", " + order + ", " + bufferInWords();
  }
}
