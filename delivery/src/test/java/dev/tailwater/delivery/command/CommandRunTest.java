package dev.tailwater.delivery.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandRunTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final List<String> lines = new ArrayList<>();

  private CommandRun.Outcome run(UserCommand command) throws Exception {
    return CommandRun.run(command, Map.of("WORD", "given"), lines::add);
  }

  @Test
  void runsAProgramWithoutAShellAndALineWithOne() throws Exception {
    UserCommand plain = new UserCommand(List.of("printf", "%s\\n", "$WORD", "a b"), LONG);
    assertTrue(run(plain).isSuccess());
    assertEquals(List.of("$WORD", "a b"), lines);
    lines.clear();
    assertEquals(3, run(UserCommand.shell("echo $WORD >&2; cat; exit 3", LONG)).exitCode());
    assertEquals(List.of("given"), lines);
    assertEquals("echo a b", UserCommand.shell("echo a b", LONG).shown());
    assertEquals("printf %s\\n $WORD a b", plain.shown());
  }

  @Test
  void saysThatThereIsNoSuchProgram() {
    assertThrows(
        IOException.class, () -> run(new UserCommand(List.of("/nonexistent/program"), LONG)));
  }

  @Test
  void killsACommandWithItsChildrenAtItsLimit() throws Exception {
    Path pids = directory.resolve("pids");
    CommandRun.Outcome outcome =
        run(
            UserCommand.shell(
                "sh -c 'echo $$ >> %s; sleep 600; true' & echo $$ >> %s; echo begun; wait"
                    .formatted(pids, pids),
                Duration.ofSeconds(8)));
    assertFalse(outcome.inTime());
    assertEquals(List.of("begun"), lines);
    List<String> both = Files.readAllLines(pids);
    assertEquals(2, both.size());
    for (String pid : both) {
      awaitGone(Long.parseLong(pid));
    }
  }

  private static void awaitGone(long pid) throws InterruptedException {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
      assertTrue(System.nanoTime() < giveUp, pid + " still runs");
      Thread.sleep(10);
    }
  }

  @Test
  void doesNotWaitForWhatACommandLeavesRunning() throws Exception {
    Path pid = directory.resolve("pid");
    long startNanos = System.nanoTime();
    assertTrue(
        run(UserCommand.shell("sleep 600 & echo $! > " + pid + "; echo done", LONG)).isSuccess());
    assertTrue(System.nanoTime() - startNanos < LONG.toNanos(), "not until the limit");
    assertEquals(List.of("done"), lines);
    ProcessHandle left =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    assertTrue(left.isAlive());
    left.destroyForcibly();
  }

  @Test
  void boundsWhatACommandSays() throws Exception {
    assertTrue(run(UserCommand.shell("seq 1 100000; printf last", LONG)).isSuccess());
    assertEquals(OutputLines.MAX_LINES + 1, lines.size());
    assertEquals("100", lines.get(99));
    assertTrue(lines.getLast().contains("left out"));
    lines.clear();
    run(UserCommand.shell("head -c 100000 /dev/zero | tr '\\0' x; echo; printf end", LONG));
    assertEquals("x".repeat(OutputLines.MAX_LINE_BYTES) + "...", lines.getFirst());
    assertEquals("end", lines.getLast());
  }

  @Test
  void oneThatNeverStopsTalkingMeetsItsLimit() throws Exception {
    assertFalse(run(UserCommand.shell("yes", Duration.ofMillis(500))).inTime());
  }
}
