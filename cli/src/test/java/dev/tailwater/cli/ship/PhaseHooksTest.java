package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.hook.HookMoment;
import dev.tailwater.delivery.hook.Hooks;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PhaseHooksTest {
  private static final Optional<Duration> LEFT = Optional.of(Duration.ofSeconds(9));

  private final List<String> output = new CopyOnWriteArrayList<>();
  private final Hooks hooks = new Hooks(commands(), problems(), (moment, line) -> output.add(line));
  private final PhaseHooks phases = new PhaseHooks(hooks);

  private static Map<HookMoment, UserCommand> commands() {
    Map<HookMoment, UserCommand> commands = new EnumMap<>(HookMoment.class);
    for (HookMoment moment : HookMoment.values()) {
      commands.put(
          moment,
          UserCommand.shell("echo $TAILWATER_PHASE $TAILWATER_NOTICE", Duration.ofMinutes(1)));
    }
    return commands;
  }

  private static Problems problems() {
    return new Problems(
        new ProblemListener() {
          @Override
          public void began(Problem problem) {}

          @Override
          public void ended(Problem problem) {}
        },
        () -> 0);
  }

  @AfterEach
  void close() {
    hooks.close();
  }

  private void expect(String... lines) throws InterruptedException {
    assertTrue(hooks.await(Duration.ofMinutes(1)));
    assertEquals(List.of(lines), output);
    output.clear();
  }

  @Test
  void eachHookIsRunOnceHoweverManyDrainsFollowEachOther() throws Exception {
    phases.listener("a").entered(DrainPhase.HURRY, LEFT);
    expect("hurry a");
    phases.listener("a").entered(DrainPhase.STEADY, Optional.empty()); // An earlier notice came.
    phases.listener("b").entered(DrainPhase.HURRY, LEFT);
    phases.safe(LEFT);
    expect("safe a");
    phases.safe(LEFT);
    phases.listener("b").entered(DrainPhase.LAST_GASP, LEFT);
    expect("last_gasp b");
    phases.listener("a signal").entered(DrainPhase.HURRY, LEFT);
    phases.steady();
    expect();
  }

  @Test
  void afterAWithdrawalEverythingBeginsAnew() throws Exception {
    phases.steady();
    expect();
    phases.listener("a").entered(DrainPhase.HURRY, LEFT);
    phases.safe(LEFT);
    assertTrue(hooks.await(Duration.ofMinutes(1)));
    output.clear();
    phases.steady();
    phases.steady();
    expect("steady a");
    phases.listener("b").entered(DrainPhase.HURRY, LEFT);
    expect("hurry b");
    phases.safe(LEFT);
    expect("safe b");
  }

  @Test
  void nothingBeginsAnewWhenTheAgentEnds() throws Exception {
    phases.listener("a signal").entered(DrainPhase.HURRY, LEFT);
    expect("hurry a signal");
    phases.end();
    phases.steady();
    expect();
    phases.safe(LEFT);
    expect("safe a signal");
  }
}
