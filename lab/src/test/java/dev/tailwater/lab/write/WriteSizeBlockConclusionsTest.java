package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import dev.tailwater.lab.write.WriteSizeBlockTable.Variant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WriteSizeBlockConclusionsTest {
  private static final String KIND = "ext4, 4 KiB blocks";
  private static final String VOLUME = "the directory: " + KIND;

  private final Map<Variant, List<Series>> measured = new LinkedHashMap<>();

  private void cold(Way way, int chunkBytes, double throughput, double readKibibytes) {
    measured.put(
        new Variant(VOLUME, KIND, State.OVERWRITE_COLD, way, chunkBytes),
        List.of(
            new Series(List.of(throughput * 0.99, throughput, throughput * 1.01)),
            new Series(List.of(Double.NaN)),
            new Series(List.of(0.0, readKibibytes, readKibibytes))));
  }

  private WriteSizeBlockConclusions conclusions() {
    return new WriteSizeBlockConclusions(WriteSizeBlockTable.of(measured));
  }

  private List<String> said() {
    return conclusions().about(VOLUME, KIND).stream().map(Conclusion::text).toList();
  }

  private Optional<Recommendation> recommended() {
    return conclusions().recommendation(VOLUME, KIND, 4096);
  }

  @Test
  void recommendsWholeBlocksWherePartsOfThemAreSlow() {
    cold(Way.PLAIN, 6144, 81, 342);
    cold(Way.PLAIN, 8192, 2000, 0);
    cold(Way.BLOCK_WRITER, 6144, 1990, 0);

    assertEquals(
        VOLUME
            + ": overwriting cold data with RandomAccessFile reads 342 KiB of a MiB in chunks of"
            + " 6144, and 0 in chunks of 8192.",
        said().get(0));
    assertTrue(said().get(1).contains("0.0405 × the throughput"), said().get(1));
    assertTrue(said().get(1).endsWith("the article had 0.0358 ×, about the same."), said().get(1));
    assertEquals(
        VOLUME + ": BlockWriter read nothing from the disk, whatever the chunk.", said().getLast());
    assertEquals("multiples of 4096 bytes, aligned", recommended().orElseThrow().value());
  }

  @Test
  void recommendsNothingWhereTheyAreNot() {
    cold(Way.PLAIN, 6144, 2000, 0);
    cold(Way.PLAIN, 8192, 2000, 0);
    cold(Way.BLOCK_WRITER, 6144, 2000, 4);

    assertTrue(said().get(1).contains("no difference"), said().get(1));
    assertEquals(VOLUME + ": BlockWriter read at most 4 KiB of a MiB.", said().getLast());
    assertEquals(Optional.empty(), recommended());
  }
}
