package dev.tailwater.cli.config;

import dev.tailwater.delivery.command.UserCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The reader of commands: a text for the shell, or a list of a program and its arguments. */
final class CommandNodes {
  private final YamlNodes nodes;

  CommandNodes(YamlNodes nodes) {
    this.nodes = nodes;
  }

  /** Reads a command; notes a problem if it is none. */
  Optional<UserCommand> read(Node node, String key, Duration limit) {
    try {
      if (node instanceof ScalarNode) {
        return nodes.readText(node, key).map(line -> UserCommand.shell(line, limit));
      }
      int problemsBefore = nodes.problems().size();
      List<String> words = new ArrayList<>();
      nodes.readTexts(node, key, (item, word) -> words.add(word));
      return nodes.problems().size() > problemsBefore
          ? Optional.empty()
          : Optional.of(new UserCommand(words, limit));
    } catch (IllegalArgumentException e) {
      nodes.problem(node, key + ": " + e.getMessage(), null);
      return Optional.empty();
    }
  }

  /** Reads a duration under a key of a map; returns the default if there is none or it is wrong. */
  Duration duration(Node map, String key, Duration standard) {
    Optional<Node> value = YamlNodes.value(map, key);
    Optional<String> text = value.flatMap(node -> nodes.readText(node, key));
    if (text.isEmpty()) {
      return standard;
    }
    try {
      return ValueChecks.duration(text.get(), Duration.ofMillis(100));
    } catch (IllegalArgumentException e) {
      nodes.problem(value.orElseThrow(), key + ": " + e.getMessage(), null);
      return standard;
    }
  }
}
