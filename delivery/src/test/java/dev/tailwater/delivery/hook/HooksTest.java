package dev.tailwater.delivery.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HooksTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final List<String> output = new CopyOnWriteArrayList<>();
  private final Problems problems =
      new Problems(
          new ProblemListener() {
            @Override
            public void began(Problem problem) {}

            @Override
            public void ended(Problem problem) {}
          },
          () -> 0);

  private Hooks hooks(Map<HookMoment, UserCommand> commands) {
    return new Hooks(commands, problems, (moment, line) -> output.add(moment.word() + ":" + line));
  }

  @Test
  void aHookKnowsWhyAndHowLong() throws Exception {
    String line = "echo \"$TAILWATER_PHASE,$TAILWATER_SECONDS_LEFT,$TAILWATER_NOTICE\"";
    try (Hooks hooks =
        hooks(
            Map.of(
                HookMoment.HURRY,
                UserCommand.shell(line, LONG),
                HookMoment.SAFE,
                UserCommand.shell(line, LONG)))) {
      hooks.run(HookMoment.HURRY, Optional.of(Duration.ofMillis(2900)), "ec2 (`x` $(y)\0)");
      assertTrue(hooks.await(LONG));
      hooks.run(HookMoment.SAFE, Optional.empty(), "");
      hooks.run(HookMoment.LAST_GASP, Optional.empty(), "has no hook");
      assertTrue(hooks.await(LONG));
      assertEquals(List.of("hurry:hurry,2,ec2 (`x` $(y) )", "safe:safe,,"), output);
      assertEquals(List.of(), problems.open());
    }
  }

  @Test
  void aHookHoldsUpNobodyAndIsWaitedForOnlyOnRequest(@TempDir Path directory) throws Exception {
    Path go = directory.resolve("go");
    try (Hooks hooks =
        hooks(
            Map.of(
                HookMoment.HURRY,
                UserCommand.shell("until [ -e " + go + " ]; do sleep 0.05; done", LONG)))) {
      hooks.run(HookMoment.HURRY, Optional.empty(), "");
      assertTrue(hooks.isRunning());
      assertFalse(hooks.await(Duration.ofMillis(1)));
      Files.createFile(go);
      assertTrue(hooks.await(LONG));
      assertFalse(hooks.isRunning());
    }
  }

  @Test
  void aHookThatFailsIsAProblemUntilItSucceeds(@TempDir Path directory) throws Exception {
    Path good = directory.resolve("good");
    try (Hooks hooks =
        hooks(
            Map.of(
                HookMoment.HURRY,
                UserCommand.shell("[ -e " + good + " ]", LONG),
                HookMoment.SAFE,
                UserCommand.shell("sleep 600", Duration.ofMillis(200)),
                HookMoment.STEADY,
                new UserCommand(List.of("/nonexistent/program"), LONG)))) {
      for (HookMoment moment : HookMoment.values()) {
        hooks.run(moment, Optional.empty(), "");
      }
      assertTrue(hooks.await(LONG));
      assertEquals(
          List.of("hook on_hurry", "hook on_safe", "hook on_steady"),
          problems.open().stream().map(Problem::subject).sorted().toList());
      String all = problems.open().toString();
      assertTrue(all.contains("ended with 1"), all);
      assertTrue(all.contains("took longer than 200 ms"), all);
      assertTrue(all.contains("could not be run"), all);
      Files.createFile(good);
      hooks.run(HookMoment.HURRY, Optional.empty(), "");
      assertTrue(hooks.await(LONG));
      assertEquals(2, problems.open().size());
    }
  }

  @Test
  void closingKillsWhatRuns() throws Exception {
    Hooks hooks = hooks(Map.of(HookMoment.HURRY, UserCommand.shell("sleep 600", LONG)));
    hooks.run(HookMoment.HURRY, Optional.empty(), "");
    hooks.close();
    assertTrue(hooks.await(LONG.dividedBy(2)), "not at its limit");
    assertEquals(List.of(), problems.open());
  }
}
