package dev.tailwater.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.host.Surroundings;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What help and errors show is what there is. */
class FirstWordsTest {
  private final CommandLine root = tree();

  private static CommandLine tree() {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return CommandTree.create(
        new Surroundings(silent, silent, Map.of(), Path.of("/"), OptionalInt.empty()));
  }

  @Test
  void everyCommandIsListedOnce() {
    List<String> listed = CommandOverview.names();
    assertEquals(listed.size(), new HashSet<>(listed).size(), listed.toString());
    TreeSet<String> there = new TreeSet<>();
    root.getSubcommands()
        .forEach(
            (name, command) -> {
              if (!command.getCommandSpec().usageMessage().hidden()) {
                there.add(name);
              }
            });
    assertEquals(there, new TreeSet<>(listed));
  }

  @Test
  void everyExampleParses() {
    for (List<String> lines : Examples.all().values()) {
      lines.forEach(this::parse);
    }
    CommandOverview.FIRST_WORDS
        .lines()
        .filter(line -> line.startsWith("  tailwater "))
        .map(line -> line.strip().split(" {3,}", 2)[0])
        .forEach(this::parse);
  }

  private void parse(String example) {
    String command = example.replaceAll("^source <\\((.*)\\)$", "$1").replaceAll(" > .*", "");
    assertTrue(command.startsWith("tailwater "), example);
    String[] words = command.substring("tailwater ".length()).replace("'", "").split(" +", -1);
    tree().parseArgs(words); // Throws an exception that says what is wrong.
  }

  @Test
  void theFirstPagesFitOnAScreen() {
    assertTrue(CommandOverview.FIRST_WORDS.lines().count() <= 10);
    List<String> help = root.getUsageMessage().lines().toList();
    assertTrue(help.size() <= 40, help.size() + " lines of help");
    assertTrue(help.stream().allMatch(line -> line.length() <= 100), root.getUsageMessage());
  }

  @Test
  void helpShowsAnExampleBeforeTheOptions() {
    Examples.all()
        .forEach(
            (name, lines) -> {
              String help =
                  java.util.Objects.requireNonNull(root.getSubcommands().get(name))
                      .getUsageMessage();
              int example = help.indexOf("  " + lines.getFirst() + "\n");
              assertTrue(example > 0, help);
              int options = help.indexOf("\n  -h, --help");
              assertTrue(options < 0 || example < options, help);
            });
  }
}
