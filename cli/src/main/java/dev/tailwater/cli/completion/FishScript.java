package dev.tailwater.cli.completion;

import dev.tailwater.cli.completion.CommandWords.Argument;
import dev.tailwater.cli.completion.CommandWords.Flag;
import java.util.Optional;
import java.util.stream.Collectors;

/** The completion script for fish: a line for each word and the command that it belongs to. */
final class FishScript {
  private static final String BEGINNING =
      """
      # Completion of tailwater for fish, made by 'tailwater completion fish'.
      set -g __tailwater_commands @COMMANDS@

      function __tailwater_at --description 'Whether the words so far name this command'
          set -l words (commandline -opc)
          set -e words[1]
          set -l at
          for word in $words
              if string match -q -- '-*' $word
                  continue
              end
              if not contains -- (string trim -- "$at $word") $__tailwater_commands
                  break
              end
              set at $at $word
          end
          test "$at" = "$argv[1]"
      end

      complete -c tailwater -e
      """;

  private FishScript() {}

  static String of(CommandWords root) {
    StringBuilder script = new StringBuilder();
    String commands =
        root.tree().stream()
            .map(CommandWords::path)
            .filter(path -> !path.isEmpty())
            .map(FishScript::quoted)
            .collect(Collectors.joining(" "));
    script.append(BEGINNING.replace("@COMMANDS@", commands));
    root.tree().forEach(command -> append(script, command));
    return script.toString();
  }

  private static void append(StringBuilder script, CommandWords command) {
    String at = "complete -c tailwater -n " + quoted("__tailwater_at \"" + command.path() + "\"");
    boolean files =
        command.subcommands().isEmpty() && command.argument().filter(Argument::isPlace).isPresent();
    if (!files) {
      script.append(at).append(" -f\n");
    }
    for (CommandWords subcommand : command.subcommands()) {
      script.append(at).append(" -a ").append(subcommand.name());
      script.append(" -d ").append(quoted(subcommand.description())).append('\n');
    }
    command
        .argument()
        .filter(argument -> !argument.candidates().isEmpty())
        .ifPresent(
            argument ->
                script
                    .append(at)
                    .append(" -a ")
                    .append(quoted(String.join(" ", argument.candidates())))
                    .append('\n'));
    for (Flag flag : command.options()) {
      script.append(at);
      for (String name : flag.names()) {
        boolean isLong = name.startsWith("--");
        script.append(isLong ? " -l " : " -s ").append(name.substring(isLong ? 2 : 1));
      }
      script.append(value(flag.value()));
      script.append(" -d ").append(quoted(flag.description())).append('\n');
    }
  }

  private static String value(Optional<Argument> value) {
    if (value.isEmpty()) {
      return "";
    }
    Argument argument = value.get();
    if (!argument.candidates().isEmpty()) {
      return " -x -a " + quoted(String.join(" ", argument.candidates()));
    }
    return argument.isPlace() ? " -r -F" : " -x";
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
