package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernel's own limit: a process in a user namespace of its own, which may have few inotify
 * watches, and may not mark file systems, though it looks like root.
 */
final class WatchLimitTest {
  private static final int WATCHES = 5;
  private static final int DIRECTORIES = 12;

  @TempDir Path root;

  @Test
  void whatIsBeyondTheLimitIsPolledWithAWarning() throws Exception {
    assumeTrue(
        run("unshare", "-Ur", "sh", "-c", "echo 5 > /proc/sys/user/max_inotify_watches")
            .endsWith("\nexit 0"),
        "a user namespace with a limit of inotify watches cannot be made here");
    for (int i = 0; i < DIRECTORIES; i++) {
      Files.createDirectories(root.resolve("d" + i));
    }
    String java = Path.of(System.getProperty("java.home", ""), "bin", "java").toString();
    String output =
        run(
            "unshare",
            "-Ur",
            "sh",
            "-c",
            "echo " + WATCHES + " > /proc/sys/user/max_inotify_watches && exec \"$@\"",
            "sh",
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path", ""),
            Limited.class.getName(),
            root.toString());
    assertTrue(output.endsWith("\nexit 0"), output);
    assertTrue(
        output.contains("inotify 5, fanotify 0, polled " + (DIRECTORIES + 1 - WATCHES)), output);
    assertTrue(output.contains("ENOSPC (No space left on device)"), output);
    assertTrue(output.contains("sysctl fs.inotify.max_user_watches="), output);
    assertTrue(output.contains("CAP_SYS_ADMIN"), output);
    assertTrue(output.contains("all seen"), output);
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output + "\nexit " + process.waitFor();
  }

  /** The process that has few watches. */
  static final class Limited {
    private Limited() {}

    public static void main(String[] arguments) throws IOException {
      Path root = Path.of(arguments[0]);
      FileCalls calls = LinuxFileCalls.create();
      WatchOptions options = WatchHarness.NOTIFIED_ONLY.withPollMillis(20);
      try (WatchHarness watch = new WatchHarness(calls, options, root)) {
        for (WatchChange change : List.copyOf(watch.changes)) {
          System.out.println(change);
        }
        WatchStatistics statistics = watch.watch().statistics();
        System.out.printf(
            "inotify %d, fanotify %d, polled %d%n",
            statistics.inotifyDirectories(),
            statistics.fanotifyDirectories(),
            statistics.polledDirectories());
        for (int i = 0; i < DIRECTORIES; i++) {
          Path file = root.resolve("d" + i + "/x");
          Files.writeString(file, "x");
          watch.untilReported(new WatchChange.Appeared(PosixPath.of(file)));
        }
        assertEquals(DIRECTORIES, watch.known.size());
        System.out.println("all seen");
      }
    }
  }
}
