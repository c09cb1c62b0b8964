package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.simulated.Texts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lock, against a second process. */
class LockTest {
  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path temporary;

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void isHeldAgainstOtherProcessesUntilTheHolderIsKilled() throws Exception {
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    Process holder = start(directory);
    try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("put", out.readLine());
      StoreLockedException locked = assertThrows(StoreLockedException.class, () -> open(directory));
      assertEquals(OptionalLong.of(holder.pid()), locked.holderPid());
      StoreTool tool = new StoreTool(calls, directory);
      assertEquals(
          OptionalLong.of(holder.pid()),
          assertThrows(StoreLockedException.class, tool::stats).holderPid());
      holder.destroyForcibly().waitFor();
      assertEquals(Map.of("a", "1"), Texts.contents(tool));
      try (KeyValueStore store = open(directory)) {
        assertEquals(Map.of("a", "1"), Texts.contents(store));
      }
    } finally {
      holder.destroyForcibly();
    }
  }

  @Test
  void saysThatThisProcessItselfHasTheStoreOpen() throws IOException {
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    try (KeyValueStore store = open(directory)) {
      StoreLockedException locked = assertThrows(StoreLockedException.class, () -> open(directory));
      assertEquals(OptionalLong.of(ProcessHandle.current().pid()), locked.holderPid());
      assertTrue(locked.toString().endsWith(", which is this one"), locked.toString());
      assertTrue(locked.hint().startsWith("Close it first"), locked.hint());
      store.put(Texts.bytes("a"), Texts.bytes("1"));
    }
  }

  @Test
  void saysThatItDoesNotKnowTheHolderWhenTheLockFileIsNonsense() throws IOException {
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    try (KeyValueStore store = open(directory)) {
      Files.writeString(temporary.resolve("store/LOCK"), "nonsense");
      StoreLockedException locked = assertThrows(StoreLockedException.class, () -> open(directory));
      assertEquals(OptionalLong.empty(), locked.holderPid());
      store.put(Texts.bytes("a"), Texts.bytes("1"));
    }
  }

  private KeyValueStore open(PosixPath directory) throws IOException {
    return TransactionLogStore.open(calls, directory, StoreOptions.defaults());
  }

  private static Process start(PosixPath directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Opens the store, puts one value, and keeps it open until killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      KeyValueStore store =
          TransactionLogStore.open(
              LinuxFileCalls.create(), PosixPath.of(arguments[0]), StoreOptions.defaults());
      store.put(Texts.bytes("a"), Texts.bytes("1"));
      System.out.println("put");
      Thread.currentThread().join();
    }
  }
}
