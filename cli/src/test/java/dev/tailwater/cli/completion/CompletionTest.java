package dev.tailwater.cli.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.cli.command.CommandTree;
import dev.tailwater.cli.host.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Real shells complete commands, options and file names with the scripts made for them. */
class CompletionTest {
  private static final long LIMIT_SECONDS = 60;

  @TempDir private Path directory;

  private static CommandLine root() {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return CommandTree.create(
        new Surroundings(silent, silent, Map.of(), Path.of("/"), OptionalInt.empty()));
  }

  private Path script(Shell shell) throws IOException {
    return Files.writeString(directory.resolve("completion"), shell.script(root()));
  }

  /** Runs a shell, and returns what it prints to its end. */
  private String run(String... command) throws IOException, InterruptedException {
    Path program = Path.of("/usr/bin", command[0]);
    assumeTrue(
        Files.isExecutable(program) || Files.isExecutable(Path.of("/bin", command[0])),
        command[0] + " is not installed (apt-get install " + command[0] + ")");
    Path out = directory.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("TERM", "dumb");
    Process process = builder.start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(out);
    assertTrue(ended, command[0] + " has not ended: " + text);
    return text;
  }

  private List<String> bash(String... words) throws IOException, InterruptedException {
    String line = String.join(" ", words);
    Path test =
        Files.writeString(
            directory.resolve("test.sh"),
            """
            source %s
            COMP_WORDS=(%s)
            COMP_CWORD=%d
            COMP_LINE='%s'
            COMP_POINT=${#COMP_LINE}
            $(complete -p tailwater | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            printf '%%s\\n' "${COMPREPLY[@]}"
            """
                .formatted(script(Shell.BASH), quoted(words), words.length - 1, line));
    return run("bash", "--norc", test.toString()).lines().map(String::strip).toList();
  }

  private static String quoted(String... words) {
    return String.join(" ", Arrays.stream(words).map(word -> "'" + word + "'").toList());
  }

  @Test
  void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
    assertEquals(List.of("restore"), bash("tailwater", "resto"));
    assertTrue(bash("tailwater", "ship", "--drain-d").contains("--drain-deadline"));
    assertTrue(bash("tailwater", "store", "st").contains("stats"));
    assertFalse(bash("tailwater", "demo").contains("demo-writer"));
  }

  private List<String> fish(String line) throws IOException, InterruptedException {
    return run(
            "fish",
            "--no-config",
            "-c",
            "source " + script(Shell.FISH) + "; complete -C '" + line + "'")
        .lines()
        .toList();
  }

  @Test
  void fishCompletesCommandsWithTheirDescriptions() throws IOException, InterruptedException {
    assertEquals(
        List.of("restore\tRestore the files of an archive, byte for byte, below a directory"),
        fish("tailwater resto"));
    assertTrue(fish("tailwater ").size() > 10);
    assertTrue(fish("tailwater store st").stream().anyMatch(line -> line.startsWith("stats\t")));
    assertEquals(List.of(), fish("tailwater demo-w"));
  }

  @Test
  void fishCompletesOptionsAndTheirValues() throws IOException, InterruptedException {
    assertTrue(
        fish("tailwater ship --drain-d").getFirst().startsWith("--drain-deadline\tHow long"));
    Files.createFile(directory.resolve("tailwater.yaml"));
    assertEquals(List.of("tailwater.yaml"), fish("tailwater ship --config tailw"));
    assertEquals(List.of("tailwater.yaml"), fish("tailwater check tailw"));
    assertEquals(List.of(), fish("tailwater ship --max-age tailw"));
    assertEquals(List.of(), fish("tailwater keygen tailw"));
    assertEquals(List.of("fish"), fish("tailwater completion fi"));
    assertEquals(List.of(), fish("tailwater ship --mo"), "--mode is an option of another command");
  }

  /** Types a line and Tab into an interactive zsh, and returns the words of the completed line. */
  private String zsh(String typed, boolean sourced) throws IOException, InterruptedException {
    Path functions = Files.createDirectories(directory.resolve("functions"));
    Files.writeString(functions.resolve("_tailwater"), Shell.ZSH.script(root()));
    String load = sourced ? "source functions/_tailwater" : ":";
    Path test =
        Files.writeString(
            directory.resolve("test.zsh"),
            """
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'cd %1$s; fpath=(%2$s $fpath); autoload -U compinit; compinit -u -d dump'
            zpty -w shell 'tailwater() { print -r -- "${(j:|:)@}" > completed; }; unsetopt beep'
            zpty -w shell '%3$s; : > ready'
            until [[ -e ready ]]; do sleep 0.05; done
            zpty -w -n shell $'tailwater %4$s\\t'
            zpty -w -n shell $'\\n'
            until [[ -e completed ]]; do sleep 0.05; done
            zpty -d shell
            """
                .formatted(directory, sourced ? "" : functions, load, typed));
    run("zsh", "-f", test.toString());
    return Files.readString(directory.resolve("completed")).strip();
  }

  @Test
  void zshCompletesCommandsFromItsFunctionPath() throws IOException, InterruptedException {
    assertEquals("restore", zsh("resto", false));
  }

  @Test
  void zshCompletesOptionsOfSourcedScript() throws IOException, InterruptedException {
    assertEquals("ship|--drain-deadline", zsh("ship --drain-d", true));
  }

  @Test
  void zshCompletesCommandsBelowCommandsAndFiles() throws IOException, InterruptedException {
    assertEquals("store|stats", zsh("store sta", true));
  }

  @Test
  void zshCompletesFiles() throws IOException, InterruptedException {
    Files.createFile(directory.resolve("tailwater.yaml"));
    assertEquals("check|tailwater.yaml", zsh("check tailw", true));
  }

  @Test
  void zshAcceptsTheWholeScript() throws IOException, InterruptedException {
    assertEquals("", run("zsh", "-n", script(Shell.ZSH).toString()));
    assertEquals("", run("fish", "--no-execute", script(Shell.FISH).toString()));
    assertEquals("", run("bash", "-n", script(Shell.BASH).toString()));
  }
}
