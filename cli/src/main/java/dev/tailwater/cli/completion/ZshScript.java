package dev.tailwater.cli.completion;

import dev.tailwater.cli.completion.CommandWords.Argument;
import dev.tailwater.cli.completion.CommandWords.Flag;
import java.util.ArrayList;
import java.util.List;

/**
 * The completion script for zsh: a function for each command. It works as the file {@code
 * _tailwater} of a directory in {@code fpath}, and with {@code source}.
 */
final class ZshScript {
  private static final String END =
      """
      if [[ "${funcstack[1]}" = _tailwater ]]; then
        _tailwater "$@"
      else
        compdef _tailwater tailwater
      fi
      """;

  private ZshScript() {}

  static String of(CommandWords root) {
    StringBuilder script = new StringBuilder("#compdef tailwater\n");
    script.append("# Completion of tailwater for zsh, made by 'tailwater completion zsh'.\n\n");
    root.tree().forEach(command -> append(script, command));
    return script.append(END).toString();
  }

  private static void append(StringBuilder script, CommandWords command) {
    script.append(function(command)).append("() {\n");
    List<String> specs = new ArrayList<>();
    command.options().forEach(flag -> specs.add(spec(flag)));
    if (command.subcommands().isEmpty()) {
      command
          .argument()
          .ifPresent(
              argument -> specs.add(quoted("*:" + escaped(label(argument)) + values(argument))));
      script.append("  _arguments -s -S");
      specs.forEach(spec -> script.append(" \\\n    ").append(spec));
      script.append("\n}\n\n");
      return;
    }
    specs.add(quoted("1: :->command"));
    specs.add(quoted("*:: :->rest"));
    script.append("  local curcontext=\"$curcontext\" state line\n");
    script.append("  local -a commands\n  commands=(\n");
    for (CommandWords subcommand : command.subcommands()) {
      String entry = subcommand.name() + ":" + subcommand.description().replace(":", "\\:");
      script.append("    ").append(quoted(entry)).append('\n');
    }
    script.append("  )\n  _arguments -C -S");
    specs.forEach(spec -> script.append(" \\\n    ").append(spec));
    script.append("\n  case $state in\n");
    script.append("    command) _describe -t commands command commands ;;\n");
    script.append("    rest)\n      case $words[1] in\n");
    for (CommandWords subcommand : command.subcommands()) {
      script.append("        ").append(subcommand.name()).append(") ");
      script.append(function(subcommand)).append(" ;;\n");
    }
    script.append("      esac ;;\n  esac\n}\n\n");
  }

  private static String function(CommandWords command) {
    String path = command.path().replace(' ', '_').replace('-', '_');
    return path.isEmpty() ? "_tailwater" : "_tailwater_" + path;
  }

  private static String spec(Flag flag) {
    String description = "[" + escaped(flag.description()) + "]";
    String value =
        flag.value().map(argument -> ":" + escaped(label(argument)) + values(argument)).orElse("");
    String sign = flag.value().isPresent() ? "=" : "";
    if (flag.names().size() == 1) {
      String name = flag.names().getFirst();
      String equals = name.startsWith("--") ? sign : "";
      String several = flag.severalTimes() ? "*" : "";
      return quoted(several + name + equals + description + value);
    }
    // One name excludes the other, so that neither is offered after the other was given.
    String names = "(" + String.join(" ", flag.names()) + ")";
    List<String> written =
        flag.names().stream().map(name -> name.startsWith("--") ? name + sign : name).toList();
    return quoted(names) + "{" + String.join(",", written) + "}" + quoted(description + value);
  }

  private static String label(Argument argument) {
    return argument.label().isEmpty() ? "value" : argument.label();
  }

  private static String values(Argument argument) {
    if (!argument.candidates().isEmpty()) {
      return ":(" + String.join(" ", argument.candidates()) + ")";
    }
    return argument.isPlace() ? ":_files" : ": ";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
