package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import dev.tailwater.lab.write.BlockVolume.LoopKind;
import dev.tailwater.lab.write.WriteSizeBlockExperiment.BlockPlan;
import dev.tailwater.lab.write.WriteSizeBlockTable.Variant;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteSizeBlockExperimentTest {
  /** Of 12 KiB, two chunks of 6144 bytes cover one block of 4 KiB in part. */
  private static final int FILE_BYTES = 96 << 10;

  private static final double READS_PER_MEBIBYTE = 1024 / 12.0;

  @TempDir private Path directory = Path.of("");

  private Findings run(List<LoopKind> loops) throws IOException, InterruptedException {
    BlockPlan plan =
        new BlockPlan(FILE_BYTES, List.of(6144, 8192), loops, 0, 2, Duration.ofMinutes(1));
    return new WriteSizeBlockExperiment(plan).run(TestLaboratory.in(directory));
  }

  @Test
  void measuresTheDirectoryItselfWithoutRoot() throws Exception {
    Findings findings = run(List.of());

    TestLaboratory.checkShape(findings);
    ResultTable table = findings.tables().getFirst();
    int states =
        findings.conditions().keySet().stream().anyMatch(is -> is.endsWith("cold")) ? 2 : 3;
    assertEquals(states * 2 * 2, table.rows().size());
    assertEquals(List.of(directory.resolve("test.dat")), TestLaboratory.left(directory));
  }

  @Test
  void namesNoPathOfWhatCouldNotBeMounted() throws Exception {
    assertEquals(
        "mount -o loop DIR/a.img DIR/a: exit code 32",
        WriteSizeBlockExperiment.withoutPath(
            "mount -o loop " + directory + "/a.img " + directory + "/a: exit code 32",
            TestLaboratory.in(directory)));
  }

  @Test
  void countsExactlyTheReadsOfBlocksThatAreOverwrittenInPart() throws Exception {
    assumeTrue(TestFileSystems.isRoot(), "only root may mount a file system");

    Findings findings = run(List.of(LoopKind.EXT4_4_KIB, LoopKind.EXT4_2_KIB));

    ResultTable table = findings.tables().getFirst();
    assertEquals(READS_PER_MEBIBYTE, reads(table, 4, State.OVERWRITE_COLD, Way.PLAIN, 6144), 1e-9);
    assertEquals(0, reads(table, 4, State.OVERWRITE_COLD, Way.PLAIN, 8192));
    assertEquals(0, reads(table, 4, State.OVERWRITE_WARM, Way.PLAIN, 6144));
    assertEquals(0, reads(table, 2, State.OVERWRITE_COLD, Way.PLAIN, 6144));
    for (State state : State.values()) {
      assertEquals(0, reads(table, 4, state, Way.BLOCK_WRITER, 6144));
      assertEquals(0, reads(table, 2, state, Way.BLOCK_WRITER, 6144));
    }
    assertFalse(
        TestLaboratory.left(directory).stream().anyMatch(path -> path.toString().contains("ext4")));
  }

  private static double reads(
      ResultTable table, int blockKibibytes, State state, Way way, int chunkBytes) {
    String volume = "loop: ext4, " + blockKibibytes + " KiB blocks";
    return TestLaboratory.counted(
        table,
        WriteSizeBlockTable.REQUESTS.name(),
        new Variant(volume, "", state, way, chunkBytes).wanted());
  }
}
