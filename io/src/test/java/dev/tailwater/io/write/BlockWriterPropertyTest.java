package dev.tailwater.io.write;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random writes, seeks, flushes, syncs, options and faults, beside a plain array. */
class BlockWriterPropertyTest {
  private static final int KINDS_OF_FAULTS = 5;

  @TempDir private Path directory;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void fileIsWhatAnArrayWouldBe(long seed) throws IOException {
    Random random = new Random(seed);
    int kind = random.nextInt(KINDS_OF_FAULTS);
    FaultPlan plan = plan(kind, new Random(seed + 1));
    OpenFlag[] flags =
        random.nextInt(8) == 0 ? new OpenFlag[] {OpenFlag.DATA_SYNC} : new OpenFlag[0];
    try (WriteHarness harness = new WriteHarness(directory.resolve("file"), plan, flags)) {
      WriterLife life = new WriterLife("seed " + seed, random, harness);
      try {
        life.live();
      } catch (CrashError crash) {
        assertTrue(harness.faulty.crashed(), "seed " + seed);
        life.checkHandedOver();
      }
    }
  }

  private static FaultPlan plan(int kind, Random random) {
    return switch (kind) {
      case 0 -> FaultPlan.none();
      case 1 ->
          FaultPlan.when(
              BlockWriterPropertyTest::isWrite, new Fault.Shorten(random.nextInt(1, 5000)));
      case 2 ->
          call ->
              isWrite(call) && random.nextInt(3) == 0
                  ? new Fault.Shorten(random.nextInt(1, 20_000))
                  : Fault.PROCEED;
      case 3 -> {
        int crashAt = random.nextInt(10, 80);
        Fault crash = random.nextBoolean() ? new Fault.CrashWithin(700) : new Fault.CrashBefore();
        yield call -> call.number() >= crashAt && isWrite(call) ? crash : Fault.PROCEED;
      }
      default ->
          call ->
              isWrite(call) && random.nextInt(4) == 0
                  ? new Fault.Fail(random.nextBoolean() ? Errno.ENOSPC : Errno.EINTR)
                  : Fault.PROCEED;
    };
  }

  private static boolean isWrite(Call call) {
    return call.is("pwrite") || call.is("pwritev2");
  }
}
