package dev.tailwater.store.datafile.read;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResidencySweeperTest {
  private final SimulatedFileSystem files = new SimulatedFileSystem();

  /** A snapshot, say, holds it, and closes it when it likes: also while it is looked at. */
  @Test
  void doesNotTouchAFileThatWasReplacedDuringTheSweepAndIsOnlyHeldByOthers() throws IOException {
    try (StoreDirectory directory =
            StoreDirectory.openOrCreate(files.calls(), SimulatedFileSystem.STORE);
        DataFiles dataFiles = new DataFiles(100)) {
      DataFileCreator creator =
          new DataFileCreator(directory, new StoreIdentity(1, 2, 3), new Random(1));
      DataFile first = creator.create(new DataFileName(1, 1, 0)).publish(dataFiles);
      try (DataFile second =
          creator.create(new DataFileName(2, 2, 0)).publish(dataFiles).retain()) {
        FileCalls calls =
            whenFirstIsLookedAt(
                () -> {
                  dataFiles.retire(List.of(second));
                  dataFiles.leave(List.of(second));
                });
        try (ResidencySweeper sweeper =
            new ResidencySweeper(calls, dataFiles, new ReaderGate("store"))) {
          sweeper.onRead();
          Eventually.until(() -> sweeper.sweeps() > 0, () -> "no sweep");
        }
        assertNotNull(first.mapping(), "looked at");
        assertNull(second.mapping(), "not looked at");
      }
    }
  }

  /** Something that happens meanwhile. */
  @FunctionalInterface
  private interface Event {
    void happen() throws IOException;
  }

  private FileCalls whenFirstIsLookedAt(Event event) {
    FileCalls simulated = files.calls();
    boolean[] happened = new boolean[1];
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("statfs") && !happened[0]) {
                happened[0] = true;
                event.happen();
              }
              try {
                return method.invoke(simulated, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getTargetException();
              }
            });
  }
}
