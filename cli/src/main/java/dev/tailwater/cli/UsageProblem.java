package dev.tailwater.cli;

import dev.tailwater.cli.command.Examples;
import dev.tailwater.cli.outcome.HintedText;
import dev.tailwater.cli.value.NearestWord;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Wrong usage in words: what is wrong, and what was probably meant. */
final class UsageProblem {
  private static final Pattern WRONG_VALUE =
      Pattern.compile("Invalid value for option '([^']+)'(?: \\([^)]*\\))?: (.*)", Pattern.DOTALL);

  private static final Pattern NO_NUMBER = Pattern.compile("('.*') is not an? (?:int|long)$");

  private final ParameterException problem;
  private final CommandLine command;

  UsageProblem(ParameterException problem) {
    this.problem = problem;
    this.command = problem.getCommandLine();
  }

  String message() {
    return switch (problem) {
      case UnmatchedArgumentException unmatched when !unmatched.getUnmatched().isEmpty() ->
          unmatched(unmatched.getUnmatched().getFirst());
      case MissingParameterException missing when !missing.getMissing().isEmpty() ->
          missing(missing.getMissing().getFirst());
      case ParameterException _ when unknownToHelp().isPresent() ->
          unmatched(unknownToHelp().get());
      default -> plain().message();
    };
  }

  /** Returns what the parser says, without its preamble. */
  private HintedText plain() {
    String message = Optional.ofNullable(problem.getMessage()).orElse("wrong usage");
    Matcher value = WRONG_VALUE.matcher(message);
    String plain = value.matches() ? value.group(1) + ": " + value.group(2) : message;
    return HintedText.of(NO_NUMBER.matcher(plain).replaceFirst("expected a whole number, not $1"));
  }

  private String unmatched(String word) {
    if (word.startsWith("-") && word.length() > 1) {
      return "unknown option '" + word + "'";
    }
    return (command.getSubcommands().isEmpty() ? "unexpected argument '" : "unknown command '")
        + word
        + "'";
  }

  private String missing(ArgSpec first) {
    if (first instanceof OptionSpec option) {
      return option.longestName() + " needs " + option.paramLabel();
    }
    List<PositionalParamSpec> all = command.getCommandSpec().positionalParameters();
    List<String> labels =
        all.subList(Math.max(0, all.indexOf(first)), all.size()).stream()
            .filter(ArgSpec::required)
            .map(ArgSpec::paramLabel)
            .toList();
    return String.join(" and ", labels) + (labels.size() == 1 ? " is missing" : " are missing");
  }

  /** Returns the word after {@code help} that is no command. */
  private Optional<String> unknownToHelp() {
    return problem.getArgSpec() == null
        ? Optional.ofNullable(problem.getValue())
        : Optional.empty();
  }

  String hint() {
    CommandSpec spec = command.getCommandSpec();
    String help = "'" + spec.qualifiedName() + " --help' says how to use it";
    Optional<String> own = plain().hint();
    if (own.isPresent()) {
      return own.get() + "; " + help;
    }
    if (isBehindDashes()) {
      return "leave the '--' before it out: behind that, nothing is an option or a command; "
          + help;
    }
    return nearest()
        .map(nearest -> "did you mean '" + nearest + "'?")
        .or(() -> Examples.first(spec).map(line -> "for example " + line + "; " + help))
        .orElse(command.getParent() == null ? "'tailwater --help' lists the commands" : help);
  }

  /** Whether what is unknown would be known elsewhere. */
  private boolean isBehindDashes() {
    return problem instanceof UnmatchedArgumentException unmatched
        && unmatched.getUnmatched().stream()
            .findFirst()
            .filter(word -> options().contains(word) || commands(command).contains(word))
            .isPresent();
  }

  private Optional<String> nearest() {
    if (problem instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      String word = unmatched.getUnmatched().getFirst();
      return NearestWord.to(word, word.startsWith("-") ? options() : commands(command));
    }
    return unknownToHelp().flatMap(word -> NearestWord.to(word, commands(command)));
  }

  private List<String> options() {
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .map(OptionSpec::longestName)
        .toList();
  }

  private static List<String> commands(CommandLine parent) {
    return parent.getSubcommands().values().stream()
        .filter(subcommand -> !subcommand.getCommandSpec().usageMessage().hidden())
        .map(CommandLine::getCommandName)
        .toList();
  }
}
