package dev.tailwater.store.datafile.salvage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.write.CommitOptions;
import dev.tailwater.store.simulated.Findings;
import dev.tailwater.store.simulated.SalvageContract;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Damaged data files; see {@link SalvageContract}. */
class DataFileSalvageTest extends SalvageContract {
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withFileBytes(4096)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1));

  @Override
  protected KeyValueStore open(FileCalls calls, boolean toBeKilled) throws IOException {
    return DataFileStore.open(calls, SimulatedFileSystem.STORE, OPTIONS);
  }

  private static DataFileSalvage salvage(FileCalls calls) {
    return new DataFileSalvage(calls, SimulatedFileSystem.STORE, InstantSource.system());
  }

  @Override
  protected StoreCheck verify(FileCalls calls, DamageListener listener) throws IOException {
    return salvage(calls).verify(listener);
  }

  @Override
  protected RepairResult repair(FileCalls calls, RepairListener listener) throws IOException {
    return salvage(calls).repair(listener);
  }

  @Override
  protected String namesBegin() {
    return "data-";
  }

  /** They are there to be written over, and no sync of them was ever needed. */
  @Test
  void countsZerosBehindTheEndAsNoTornTail() throws IOException {
    SimulatedFileSystem files = new SimulatedFileSystem();
    KeyValueStore store =
        DataFileStore.open(
            files.calls(),
            SimulatedFileSystem.STORE,
            OPTIONS.withCommits(new CommitOptions(64 * 1024, 0)));
    for (int i = 0; i < 3; i++) {
      store.put(Texts.bytes("key"), Texts.bytes("value " + i));
    }
    files.killProcess();
    String name = files.names().stream().filter(one -> one.startsWith("data-")).findAny().get();
    byte[] content = files.content(name);
    assertEquals(0, content[content.length - 1], "zeros are there");
    assertEquals(List.of(0L), tornBytes(files));
    files.replace(name, Arrays.copyOf(content, content.length + 100));
    assertEquals(List.of(0L), tornBytes(files));
    byte[] torn = Arrays.copyOf(content, content.length + 100);
    torn[content.length] = 1;
    files.replace(name, torn);
    long behindTheEnd = tornBytes(files).getFirst();
    assertTrue(behindTheEnd > 1, "bytes: " + behindTheEnd);
    try (KeyValueStore again = open(files.calls(), false)) {
      assertEquals(behindTheEnd, again.statistics().cutBytes(), "as opening says");
    }
  }

  private List<Long> tornBytes(SimulatedFileSystem files) throws IOException {
    StoreCheck check = verify(files.calls(), new Findings());
    assertTrue(check.isWhole(), check::toString);
    return check.files().stream().map(StoreCheck.CheckedFile::tornBytes).toList();
  }
}
