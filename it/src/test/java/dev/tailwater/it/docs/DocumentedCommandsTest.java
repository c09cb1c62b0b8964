package dev.tailwater.it.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.command.CommandTree;
import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ConfigProblem;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.it.Packaged;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Every fenced block of the documentation says what it is, is run by a test or has a stated reason
 * not to be, and names only commands, options and keys that exist. {@link DocumentedPagesRunTest}
 * runs the blocks.
 */
class DocumentedCommandsTest {
  private static final Set<String> SHOWN_ONLY = Set.of("text", "json", "xml");
  private static final Set<String> PAGES_OF_PROGRAMS =
      Set.of("docs/guide/fast-file-io.md", "docs/guide/store.md");
  private static final Pattern NAME_OF_TEST = Pattern.compile("\\b[A-Z]\\w+Test\\b");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?[A-Za-z_]\\w*\\}?");
  private static final String RECIPIENT =
      "age1waexfq6xthqtlcy32krq0a56g467rudyw98cxg2a6997a774appsxd5jk4";
  private static final Path DIRECTORY = Path.of("/etc/tailwater");

  private static List<Block> blocksThat(Predicate<Block> are) throws IOException {
    List<Block> blocks = Pages.blocks().stream().filter(are).toList();
    assertFalse(blocks.isEmpty(), "no such block was found");
    return blocks;
  }

  @Test
  void everyBlockIsRunByATestOrHasAReason() throws Exception {
    List<NotRun> reasons = NotRun.all();
    List<String> neither = new ArrayList<>();
    for (Block block : Pages.blocks()) {
      boolean isRun =
          block.isCommands()
              || block.isYaml()
              || (block.file().isPresent() && (block.isConfiguration() || block.isScript()))
              || (block.language().equals("java") && PAGES_OF_PROGRAMS.contains(block.page()));
      if (!isRun && !SHOWN_ONLY.contains(block.language()) && NotRun.of(block, reasons).isEmpty()) {
        neither.add(block.place() + " '" + block.language() + "'");
      }
    }
    assertEquals(
        List.of(),
        neither,
        "a fence names sh, console, yaml, a configuration whose first line names its file, or text;"
            + " what cannot be run has a line in it/src/test/resources/docs/not-run.txt");
  }

  @Test
  void everyReasonIsAboutABlockAndNamesTestsThatExist() throws Exception {
    List<Block> blocks = Pages.blocks();
    Set<String> tests = namesOfTests();
    List<String> stale = new ArrayList<>();
    for (NotRun reason : NotRun.all()) {
      if (blocks.stream().noneMatch(reason::fits)) {
        stale.add("no such block: " + reason);
      }
      Matcher test = NAME_OF_TEST.matcher(reason.reason());
      while (test.find()) {
        if (!tests.contains(test.group())) {
          stale.add("no such test: " + reason);
        }
      }
    }
    assertEquals(List.of(), stale);
  }

  @Test
  void everyTestThatAPageNamesExists() throws Exception {
    Set<String> tests = namesOfTests();
    List<String> missing = new ArrayList<>();
    for (String page : Pages.all()) {
      Matcher test = Pattern.compile("`([A-Z]\\w+Test)`").matcher(Pages.text(page));
      while (test.find()) {
        if (!tests.contains(test.group(1))) {
          missing.add(page + ": " + test.group(1));
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  private static Set<String> namesOfTests() throws IOException {
    try (Stream<Path> files = Files.walk(Pages.root())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Test.java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .collect(Collectors.toSet());
    }
  }

  @Test
  void everyCommandAndOptionExists() throws Exception {
    CommandLine program = program();
    List<String> wrong = new ArrayList<>();
    int commands = 0;
    for (Block block : Pages.blocks()) {
      for (List<String> arguments : commandsOf(block)) {
        commands++;
        try {
          program.parseArgs(
              arguments.stream()
                  .map(argument -> argument.equals("age1...") ? RECIPIENT : argument)
                  .map(argument -> VARIABLE.matcher(argument).replaceAll("value"))
                  .toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
          wrong.add(block.place() + " " + arguments + ": " + e.getMessage());
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(commands > 100, "only " + commands + " commands were found");
  }

  private static List<List<String>> commandsOf(Block block) {
    List<List<String>> commands = new ArrayList<>();
    if (block.isManifest()) {
      block.documents().forEach(document -> commands.addAll(Manifest.commands(document)));
      return commands;
    }
    String shell = "";
    if (block.isCommands() || block.isScript()) {
      shell = block.commands();
    } else if (block.isSteps()) {
      shell = block.stepCommands();
    }
    for (String name : List.of("tailwater", "./tailwater")) {
      commands.addAll(ShellWords.commands(shell, name));
    }
    return commands;
  }

  /** The whole command line, with the lab. */
  private static CommandLine program() {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Path lab = Pages.root().resolve("lab/target/plugin/lib/plugins");
    return CommandTree.create(
        new Surroundings(
            silent,
            silent,
            Map.of("TAILWATER_PLUGINS", lab.toString()),
            Path.of("/"),
            OptionalInt.empty()));
  }

  @Test
  void everyConfigurationIsUnderstood() throws Exception {
    List<String> problems = new ArrayList<>();
    for (Block block : blocksThat(Block::isYaml)) {
      List<String> configurations = new ArrayList<>();
      if (block.isManifest()) {
        block
            .documents()
            .forEach(document -> configurations.addAll(Manifest.configurations(document)));
      } else if (!block.isSteps()) {
        configurations.add(block.wholeConfiguration());
      }
      for (String configuration : configurations) {
        for (ConfigProblem problem : ConfigFile.read(configuration, DIRECTORY).problems()) {
          // Files of a real machine are there when the pages are run.
          if (!problem.toString().contains("/etc/tailwater/")) {
            problems.add(block.place() + ": " + problem);
          }
        }
      }
    }
    assertEquals(List.of(), problems);
  }

  @Test
  void everyManifestStartsAnAgentAndLeavesItItsTime() throws Exception {
    for (Block block : blocksThat(Block::isManifest)) {
      for (Map<?, ?> document : block.documents()) {
        Manifest.requireTimeToDrain(block.place(), document);
      }
    }
  }

  @Test
  void theShellUnderstandsEveryBlock() throws Exception {
    List<String> wrong = new ArrayList<>();
    Path file = Files.createTempFile("block", ".sh");
    try {
      for (String page : Pages.all()) {
        StringBuilder shell = new StringBuilder();
        for (Block block : Pages.blocks(page)) {
          if (block.isCommands() || block.isScript()) {
            shell.append("# ").append(block.place()).append('\n').append(block.commands());
          }
        }
        Files.writeString(file, shell);
        Packaged.Run run =
            Packaged.run(Pages.root(), Map.of(), List.of("bash", "-n", file.toString()));
        if (run.exitCode() != 0) {
          wrong.add(page + ": " + run.err());
        }
      }
    } finally {
      Files.delete(file);
    }
    assertEquals(List.of(), wrong);
  }
}
