package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexMemoryTest {
  private static final int KEYS = 200_000;
  private static final int OPENINGS = 60;

  /** Less than half of what all these openings together take. */
  private static final long MAX_GROWTH_KIB = OPENINGS * (KEYS * 16L / 1024) / 2;

  @TempDir Path temporary;

  @Test
  void isFreedWhenTheIndexCannotBeReadToItsEnd() throws IOException {
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    try (DataFileStore store = open(directory, FaultPlan.none())) {
      List<BulkPut> puts = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        puts.add(BulkPut.of(Texts.bytes("" + i), new byte[0]));
      }
      store.putAll(puts, WriteOptions.defaults());
    }
    failToOpen(directory);
    long before = addressSpaceKib();
    for (int i = 0; i < OPENINGS; i++) {
      failToOpen(directory);
    }
    long growthKib = addressSpaceKib() - before;
    assertTrue(growthKib < MAX_GROWTH_KIB, growthKib + " KiB more");
    try (DataFileStore store = open(directory, FaultPlan.none())) {
      assertTrue(store.get(Texts.bytes("0")).isPresent());
    }
  }

  /** Most of the index has been read when the disk fails. */
  private static void failToOpen(PosixPath directory) {
    AtomicInteger reads = new AtomicInteger();
    FaultPlan plan =
        FaultPlan.when(
            call -> call.is("pread") && reads.incrementAndGet() > 5, new Fault.Fail(Errno.EIO));
    assertThrows(IOException.class, () -> open(directory, plan).close());
  }

  private static DataFileStore open(PosixPath directory, FaultPlan plan) throws IOException {
    return DataFileStore.open(
        FaultyFileCalls.wrap(LinuxFileCalls.create(), plan).calls(),
        directory,
        DataFileOptions.defaults());
  }

  private static long addressSpaceKib() throws IOException {
    Matcher size =
        Pattern.compile("VmSize:\\s+(\\d+) kB")
            .matcher(Files.readString(Path.of("/proc/self/status")));
    assertTrue(size.find());
    return Long.parseLong(size.group(1));
  }
}
