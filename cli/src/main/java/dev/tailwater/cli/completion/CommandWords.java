package dev.tailwater.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What a completion script needs to know of one command: its words and what they mean. */
final class CommandWords {
  private static final int MAX_DESCRIPTION = 80;
  private static final Pattern PLACES =
      Pattern.compile(".*(FILE|DIR|PATH|CONFIG|SOURCE|DESTINATION|SCRATCH).*");

  private final CommandSpec spec;

  CommandWords(CommandLine command) {
    this.spec = command.getCommandSpec();
  }

  String name() {
    return spec.name();
  }

  /**
   * Returns the names of the commands that lead to it, without the program's: {@code store get}.
   */
  String path() {
    String whole = spec.qualifiedName();
    int space = whole.indexOf(' ');
    return space < 0 ? "" : whole.substring(space + 1);
  }

  String description() {
    return summary(spec.usageMessage().description());
  }

  /** Returns the commands below it that users see. */
  List<CommandWords> subcommands() {
    return spec.subcommands().values().stream()
        .distinct()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden())
        .map(CommandWords::new)
        .toList();
  }

  /** Returns it and all commands below it. */
  List<CommandWords> tree() {
    List<CommandWords> all = new ArrayList<>(List.of(this));
    subcommands().forEach(command -> all.addAll(command.tree()));
    return all;
  }

  List<Flag> options() {
    return spec.options().stream().filter(option -> !option.hidden()).map(Flag::of).toList();
  }

  /** Returns the arguments that are no options; empty if it takes none. */
  Optional<Argument> argument() {
    List<PositionalParamSpec> parameters =
        spec.positionalParameters().stream().filter(parameter -> !parameter.hidden()).toList();
    return parameters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Argument(
                String.join(" ", parameters.stream().map(ArgSpec::paramLabel).toList()),
                parameters.stream().anyMatch(CommandWords::isPlace),
                parameters.stream().flatMap(parameter -> candidates(parameter).stream()).toList()));
  }

  /**
   * Arguments.
   *
   * @param isPlace whether a file or directory may be meant
   * @param candidates the words that are meant; empty: any
   */
  record Argument(String label, boolean isPlace, List<String> candidates) {}

  /**
   * An option.
   *
   * @param value its argument; empty: it takes none
   */
  record Flag(
      List<String> names, String description, Optional<Argument> value, boolean severalTimes) {
    private static Flag of(OptionSpec option) {
      return new Flag(
          List.of(option.names()),
          summary(option.description()),
          option.arity().max() == 0
              ? Optional.empty()
              : Optional.of(
                  new Argument(
                      option.paramLabel(), CommandWords.isPlace(option), candidates(option))),
          option.isMultiValue());
    }
  }

  private static boolean isPlace(ArgSpec argument) {
    return PLACES.matcher(argument.paramLabel()).matches();
  }

  private static List<String> candidates(ArgSpec argument) {
    List<String> words = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(words::add);
    }
    return words;
  }

  /** Returns the first sentence, or as much of it as a list has room for. */
  private static String summary(String[] lines) {
    String text = String.join(" ", lines).replace("%%", "%").replace('\n', ' ').strip();
    int end = text.indexOf(". ");
    String sentence = end < 0 ? text : text.substring(0, end);
    if (sentence.endsWith(".")) {
      sentence = sentence.substring(0, sentence.length() - 1);
    }
    if (sentence.length() <= MAX_DESCRIPTION) {
      return sentence;
    }
    int space = sentence.lastIndexOf(' ', MAX_DESCRIPTION - 1);
    return sentence.substring(0, space < 0 ? MAX_DESCRIPTION : space) + "…";
  }
}
