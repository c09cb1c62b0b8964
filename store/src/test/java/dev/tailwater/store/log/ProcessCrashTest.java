package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.log.format.FrameHeader;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dies at every call on a real file system: before it, after it, and within each write. */
class ProcessCrashTest {
  private static final int WRITES = 8;
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().withCompactAboveBytes(300).withCompactor(Runnable::run);

  @TempDir Path temporary;

  @Test
  void keepsWhatWasAcknowledgedWhereverTheProcessDies() throws IOException {
    FaultyFileCalls whole = FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.none());
    assertEquals(WRITES, write(whole, directory(0)));
    assertEquals(List.of(), whole.openDescriptors(), "closing closes every descriptor");
    assertTrue(whole.log().contains("rename"), "the run compacts");
    for (long call = 1; call <= whole.callCount(); call++) {
      List<FaultPlan> plans =
          new ArrayList<>(List.of(FaultPlan.crashAt(call), FaultPlan.crashAfter(call)));
      if (whole.log().get((int) call - 1).equals("pwrite")) {
        plans.add(FaultPlan.crashWithin(call, 1));
        plans.add(FaultPlan.crashWithin(call, FrameHeader.LENGTH_BYTES + 3));
      }
      for (int plan = 0; plan < plans.size(); plan++) {
        dieAndReopen(plans.get(plan), directory(call * 10 + plan), "call " + call + "/" + plan);
      }
    }
  }

  @Test
  void writesAndReadsTheSameWhenEveryCallTransfersOneByte() throws IOException {
    FaultyFileCalls slow =
        FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.shortenAll("pwrite", 1));
    assertEquals(WRITES, write(slow, directory(0)));
    FaultyFileCalls slowReader =
        FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.shortenAll("pread", 1));
    check(new StoreTool(slowReader.calls(), directory(0)), WRITES, "read by single bytes");
  }

  private void dieAndReopen(FaultPlan plan, PosixPath directory, String place) throws IOException {
    FaultyFileCalls dying = FaultyFileCalls.wrap(LinuxFileCalls.create(), plan);
    int acknowledged = write(dying, directory);
    dying.kill();
    try (KeyValueStore store =
        TransactionLogStore.open(LinuxFileCalls.create(), directory, OPTIONS)) {
      assertTrue(store.statistics().keys() <= 3, place);
    }
    check(new StoreTool(LinuxFileCalls.create(), directory), acknowledged, place);
  }

  /** Returns how many writes were acknowledged before the process died. */
  private static int write(FaultyFileCalls calls, PosixPath directory) throws IOException {
    int acknowledged = 0;
    try (KeyValueStore store = TransactionLogStore.open(calls.calls(), directory, OPTIONS)) {
      for (int i = 1; i <= WRITES; i++) {
        String value = "" + i;
        store.apply(
            new WriteBatch()
                .put(Texts.bytes("a"), Texts.bytes(value))
                .put(Texts.bytes("b"), Texts.bytes(value + " ".repeat(50)))
                .remove(Texts.bytes("c")));
        acknowledged = i;
      }
    } catch (CrashError died) {
      assertTrue(calls.crashed());
    } catch (StoreFailedException died) {
      assertTrue(calls.crashed(), died.toString());
    }
    return acknowledged;
  }

  private static void check(StoreTool tool, int acknowledged, String place) throws IOException {
    Map<String, String> found = Texts.contents(tool);
    int value = Integer.parseInt(found.getOrDefault("a", "0"));
    assertTrue(
        value == acknowledged || value == acknowledged + 1,
        place + ": " + value + " after " + acknowledged);
    assertEquals(
        value == 0 ? Map.of() : Map.of("a", "" + value, "b", value + " ".repeat(50)),
        found,
        place + ": a batch is atomic");
  }

  private PosixPath directory(long number) {
    return PosixPath.of(temporary.resolve("store" + number));
  }
}
