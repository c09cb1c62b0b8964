package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store whose files are small and many, and a process that may not have so many open. */
class OpenFilesTest {
  private static final int KEYS = 600;
  private static final DataFileOptions SMALL_FILES = DataFileOptions.defaults().withFileBytes(4096);

  private final SimulatedFileSystem files = new SimulatedFileSystem();

  @TempDir Path temporary;

  @Test
  void makesFilesLongerRatherThanMoreThanMayBeOpen() throws IOException {
    DataFileOptions options = SMALL_FILES.withMaxOpenFiles(5);
    try (DataFileStore store = open(options)) {
      putAll(store, 0);
      assertTrue(dataFiles() <= 5, files.names().toString());
    }
    try (DataFileStore store = open(options)) {
      checkAll(store);
      putAll(store, 0); // half of what there is becomes dead
      store.vacuum();
      putAll(store, 0);
      assertTrue(dataFiles() <= 6, "and one that takes the place of others: " + files.names());
    }
    try (DataFileStore store = open(options)) {
      checkAll(store);
    }
  }

  /** The limit is that of a child, which is real. */
  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void staysOpenableForAProcessThatMayHaveFewFilesOpen() throws Exception {
    for (int run = 0; run < 3; run++) {
      Process child =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "ulimit -n 200 && exec \"$@\"",
                  "sh",
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Writer.class.getName(),
                  temporary.resolve("store").toString(),
                  "" + run)
              .redirectErrorStream(true)
              .start();
      String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, child.waitFor(), "run " + run + ": " + said);
    }
  }

  /** Checks what the runs before have put, and puts more. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      PosixPath directory = PosixPath.of(Path.of(arguments[0]));
      int run = Integer.parseInt(arguments[1]);
      try (DataFileStore store =
          DataFileStore.open(LinuxFileCalls.create(), directory, SMALL_FILES)) {
        for (int before = 0; before < run; before++) {
          assertEquals(1000, store.get(key(before, KEYS - 1)).orElseThrow().length);
        }
        assertEquals((long) run * KEYS, store.statistics().keys());
        putAll(store, run);
      }
    }
  }

  private static void putAll(KeyValueStore store, int run) throws IOException {
    for (int i = 0; i < KEYS; i++) {
      store.put(key(run, i), new byte[1000]);
    }
  }

  private static void checkAll(KeyValueStore store) throws IOException {
    assertEquals(KEYS, store.statistics().keys());
    for (int i = 0; i < KEYS; i++) {
      assertEquals(1000, store.get(key(0, i)).orElseThrow().length);
    }
  }

  private static byte[] key(int run, int number) {
    return Texts.bytes(run + "/" + number);
  }

  private DataFileStore open(DataFileOptions options) throws IOException {
    return DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, options);
  }

  private long dataFiles() {
    return files.names().stream().filter(name -> name.startsWith("data-")).count();
  }
}
