package dev.tailwater.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.ship.StopSignals;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A run makes no more commands than it may use. */
class CommandTreeTest {
  private static final PrintStream SILENT =
      new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
  private static final Surroundings SURROUNDINGS =
      new Surroundings(SILENT, SILENT, Map.of(), Path.of("/"), OptionalInt.empty());
  private static final Supplier<StopSignals> NONE =
      () -> {
        throw new AssertionError("no agent is started");
      };

  private static Set<String> madeFor(String... arguments) {
    return CommandTree.create(SURROUNDINGS, NONE, List.of(arguments)).getSubcommands().keySet();
  }

  private static Set<String> all() {
    return CommandTree.create(SURROUNDINGS).getSubcommands().keySet();
  }

  @Test
  void onlyTheCommandThatIsNamedFirstIsMade() {
    for (String name : all()) {
      if (!Set.of("help", "completion").contains(name)) {
        assertEquals(Set.of(name), madeFor(name, "restore", "--help"), name);
      }
    }
  }

  /** What is listed, completed or proposed instead of a mistyped name is all there is. */
  @ParameterizedTest
  @ValueSource(strings = {"", "help", "help ls", "completion bash", "restor", "--help", "--x ls"})
  void whateverMayBeAboutAnyHasAll(String arguments) {
    assertEquals(all(), madeFor(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1)));
  }

  @Test
  void theVersionNeedsNone() {
    assertEquals(Set.of(), madeFor("--version"));
  }

  @Test
  void theOnlyCommandHasTheSameHelpAsAmongAll() {
    CommandLine whole = CommandTree.create(SURROUNDINGS);
    for (String name : all()) {
      CommandLine one =
          CommandTree.create(SURROUNDINGS, NONE, List.of(name)).getSubcommands().get(name);
      String help = one.getUsageMessage();
      assertTrue(help.contains(name), help);
      assertEquals(whole.getSubcommands().get(name).getUsageMessage(), help, name);
    }
  }
}
