package dev.tailwater.cli.command;

import static java.util.Objects.requireNonNull;
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

  private static StopSignals none() {
    throw new AssertionError("no agent is started");
  }

  private static CommandLine treeFor(String... arguments) {
    return CommandTree.create(SURROUNDINGS, CommandTreeTest::none, List.of(arguments));
  }

  private static Set<String> madeFor(String... arguments) {
    return treeFor(arguments).getSubcommands().keySet();
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
      String help = helpOf(name, treeFor(name));
      assertTrue(help.contains(name), help);
      assertEquals(helpOf(name, whole), help, name);
    }
  }

  private static String helpOf(String name, CommandLine tree) {
    return requireNonNull(tree.getSubcommands().get(name), name).getUsageMessage();
  }
}
