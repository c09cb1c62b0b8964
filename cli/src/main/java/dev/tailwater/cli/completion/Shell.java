package dev.tailwater.cli.completion;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.AutoComplete;
import picocli.CommandLine;

/** A shell that completes commands. */
public enum Shell {
  BASH,
  ZSH,
  FISH;

  /** Returns the shell of that name. */
  public static Optional<Shell> named(String name) {
    return Arrays.stream(values()).filter(shell -> shell.word().equals(name)).findFirst();
  }

  /** Returns the names of all. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Shell::word).toList();
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the script that completes the commands of a program. */
  public String script(CommandLine root) {
    return switch (this) {
      case BASH -> AutoComplete.bash(root.getCommandName(), root);
      case ZSH -> ZshScript.of(new CommandWords(root));
      case FISH -> FishScript.of(new CommandWords(root));
    };
  }
}
