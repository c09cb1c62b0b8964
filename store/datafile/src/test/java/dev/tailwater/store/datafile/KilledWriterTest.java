package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.simulated.Soak;
import dev.tailwater.store.simulated.Texts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Writers that the kernel kills, and disks that the kernel fills. Needs root to mount them. */
class KilledWriterTest {
  private static final int SEGMENT_BYTES = 64 * 1024;
  private static final int KEYS = 20;

  private final FileCalls calls = LinuxFileCalls.create();

  @Test
  void keepsWhatWasAcknowledgedToAKilledProcessOnExt4() throws Exception {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(64 * 1024 * 1024, 4096)) {
      killAndCheck(ext4);
    }
  }

  @Test
  void keepsWhatWasAcknowledgedToAKilledProcessOnXfs() throws Exception {
    try (MountedFileSystem xfs = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096)) {
      killAndCheck(xfs);
    }
  }

  @Test
  void keepsWhatWasAcknowledgedToAKilledProcessOnTmpfs() throws Exception {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(64 * 1024 * 1024)) {
      killAndCheck(tmpfs);
    }
  }

  /** The child says what it has been told to be durable; kill -9 comes somewhere in between. */
  private void killAndCheck(MountedFileSystem fileSystem) throws Exception {
    PosixPath directory = fileSystem.path().resolve("store");
    long acknowledged = 0;
    for (int round = 0; round < Soak.rounds(3, 100); round++) {
      Process child = start(directory, acknowledged);
      BufferedReader output = child.inputReader(StandardCharsets.UTF_8);
      for (int i = 0; i < 50 + 37 * round; i++) {
        acknowledged = Long.parseLong(output.readLine());
      }
      // SIGKILL; by the handle, since Process would close the stream with what is still in it.
      assertTrue(child.toHandle().destroyForcibly());
      String line = output.readLine();
      while (line != null) { // it had said more
        acknowledged = Long.parseLong(line);
        line = output.readLine();
      }
      child.waitFor();
      try (KeyValueStore store = open(directory)) {
        long found = Long.parseLong(Texts.text(store.get(Texts.bytes("last")).orElseThrow()));
        assertTrue(found >= acknowledged, found + " after " + acknowledged);
        for (long number = Math.max(1, found - KEYS + 1); number <= found; number++) {
          byte[] value = store.get(Texts.bytes("key" + number % KEYS)).orElseThrow();
          assertEquals(number + ":" + "x".repeat((int) (number % 700)), Texts.text(value));
        }
        acknowledged = found;
      }
    }
  }

  private static Process start(PosixPath directory, long from) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            directory.toString(),
            "" + from)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static KeyValueStore open(PosixPath directory) throws IOException {
    return DataFileStore.open(
        LinuxFileCalls.create(),
        directory,
        DataFileOptions.defaults().withFileBytes(SEGMENT_BYTES));
  }

  /** Writes batches with group durability until it is killed, and says each that is durable. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException {
      try (KeyValueStore store = open(PosixPath.of(arguments[0]))) {
        for (long number = Long.parseLong(arguments[1]) + 1; ; number++) {
          String value = number + ":" + "x".repeat((int) (number % 700));
          store.apply(
              new WriteBatch()
                  .put(Texts.bytes("key" + number % KEYS), Texts.bytes(value))
                  .put(Texts.bytes("last"), Texts.bytes("" + number)));
          System.out.println(number);
        }
      }
    }
  }

  /** Overwrites a few keys until the disk is full, with the vacuum at work; then makes room. */
  @Test
  void refusesWritesOfAFullDiskAndGoesOnWhenThereIsSpace() throws Exception {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(16 * 1024 * 1024, 1024)) {
      PosixPath directory = ext4.path().resolve("store");
      Path ballast = ext4.root().resolve("ballast");
      Map<String, String> written = new HashMap<>();
      try (KeyValueStore store = open(directory)) {
        int refusals = 0;
        for (int i = 0; i < 400; i++) {
          if (i >= 150 && i < 300 && refusals == 0) {
            fill(ballast); // Again and again, since the vacuum makes room meanwhile.
          } else if (i == 300) {
            Files.delete(ballast);
          }
          String key = "key" + i % KEYS;
          String value = i + ":" + "y".repeat(5000);
          try {
            store.put(Texts.bytes(key), Texts.bytes(value));
            written.put(key, value);
          } catch (StoreWriteException refused) {
            refusals++;
            ErrnoException cause = assertInstanceOf(ErrnoException.class, refused.getCause());
            assertEquals(Errno.ENOSPC, cause.errno());
            assertTrue(i >= 150 && i < 300, "refused at " + i);
          }
        }
        assertTrue(refusals > 0, "the disk was never full");
        assertEquals(written, Texts.contents(store));
      }
      try (KeyValueStore store = DataFileStore.open(calls, directory, DataFileOptions.defaults())) {
        assertEquals(written, Texts.contents(store));
      }
    }
  }

  private static void fill(Path ballast) throws IOException {
    try (var out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      byte[] block = new byte[64 * 1024];
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertTrue(full.toString().contains("No space left"), full.toString());
    }
  }
}
