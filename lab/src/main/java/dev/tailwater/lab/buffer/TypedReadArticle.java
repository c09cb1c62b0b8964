package dev.tailwater.lab.buffer;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The results of article 002 in files per second: a file of 10 MiB in the page cache, JDK 8, 2015.
 */
final class TypedReadArticle {
  /**
   * The figures. A key is the way, the type, the byte order and the KiB of the buffer, in this
   * order.
   */
  private static final Map<String, Double> FILES_PER_SECOND =
      Map.ofEntries(
          Map.entry("DIRECT INT LITTLE 8", 221.5),
          Map.entry("DIRECT INT LITTLE 64", 356.0),
          Map.entry("DIRECT INT LITTLE 256", 362.6),
          Map.entry("DIRECT INT LITTLE 1024", 360.5),
          Map.entry("DIRECT INT BIG 8", 202.1),
          Map.entry("DIRECT INT BIG 64", 307.2),
          Map.entry("DIRECT INT BIG 256", 313.3),
          Map.entry("DIRECT INT BIG 1024", 317.5),
          Map.entry("HEAP INT LITTLE 8", 115.7),
          Map.entry("HEAP INT LITTLE 64", 142.4),
          Map.entry("HEAP INT LITTLE 256", 164.1),
          Map.entry("HEAP INT LITTLE 1024", 161.4),
          Map.entry("HEAP INT BIG 8", 110.6),
          Map.entry("HEAP INT BIG 64", 136.2),
          Map.entry("HEAP INT BIG 256", 162.6),
          Map.entry("HEAP INT BIG 1024", 162.5),
          Map.entry("STREAM INT BIG 8", 21.4),
          Map.entry("STREAM INT BIG 64", 22.1),
          Map.entry("UNBUFFERED INT BIG 0", 0.072),
          Map.entry("DIRECT DOUBLE LITTLE 8", 218.6),
          Map.entry("DIRECT DOUBLE LITTLE 64", 339.4),
          Map.entry("DIRECT DOUBLE LITTLE 256", 348.2),
          Map.entry("DIRECT DOUBLE LITTLE 1024", 345.5),
          Map.entry("DIRECT DOUBLE BIG 8", 220.5),
          Map.entry("DIRECT DOUBLE BIG 64", 347.0),
          Map.entry("DIRECT DOUBLE BIG 256", 351.4),
          Map.entry("DIRECT DOUBLE BIG 1024", 350.3),
          Map.entry("HEAP DOUBLE LITTLE 8", 111.4),
          Map.entry("HEAP DOUBLE LITTLE 64", 135.5),
          Map.entry("HEAP DOUBLE LITTLE 256", 134.8),
          Map.entry("HEAP DOUBLE LITTLE 1024", 132.6),
          Map.entry("HEAP DOUBLE BIG 8", 110.4),
          Map.entry("HEAP DOUBLE BIG 64", 135.7),
          Map.entry("HEAP DOUBLE BIG 256", 135.2),
          Map.entry("HEAP DOUBLE BIG 1024", 133.0),
          Map.entry("STREAM DOUBLE BIG 8", 43.1),
          Map.entry("STREAM DOUBLE BIG 64", 46.9),
          Map.entry("UNBUFFERED DOUBLE BIG 0", 0.563));

  private TypedReadArticle() {}

  /**
   * Returns the article's figure, with Files.newInputStream for the streams as here; empty if it
   * has none.
   */
  static OptionalDouble filesPerSecond(TypedReadVariant variant) {
    String key =
        "%s %s %s %d"
            .formatted(
                variant.way().name(),
                variant.type().name(),
                variant.order().name(),
                variant.bufferBytes() / 1024);
    return FILES_PER_SECOND.containsKey(key)
        ? OptionalDouble.of(Objects.requireNonNull(FILES_PER_SECOND.get(key)))
        : OptionalDouble.empty();
  }
}
