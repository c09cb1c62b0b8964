package dev.tailwater.cli.config;

import dev.tailwater.cli.value.NearestWord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A reader of YAML nodes. It notes, with line and column, where they do not have the expected
 * shape.
 */
final class YamlNodes {
  private final List<ConfigProblem> problems = new ArrayList<>();

  List<ConfigProblem> problems() {
    return List.copyOf(problems);
  }

  /** Hands each value of a map to the reader of its key; false if {@code node} is no map. */
  boolean readMap(Node node, Map<String, Consumer<Node>> readers) {
    if (!(node instanceof MappingNode map)) {
      problem(node, "expected keys and values, not " + kind(node), "one of " + readers.keySet());
      return false;
    }
    Set<String> seen = new HashSet<>();
    for (NodeTuple entry : map.getValue()) {
      String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
      @Nullable Consumer<Node> reader = readers.get(key);
      if (reader == null) {
        String hint =
            NearestWord.to(key, readers.keySet())
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElse("known keys are " + String.join(", ", readers.keySet()));
        problem(entry.getKeyNode(), "unknown key '" + key + "'", hint);
      } else if (!seen.add(key)) {
        problem(entry.getKeyNode(), "'" + key + "' is given twice", null);
      } else {
        reader.accept(entry.getValueNode());
      }
    }
    return true;
  }

  /**
   * Returns the keys and texts of a map whose keys are not known here, in the order of the file.
   */
  Map<String, String> readTextMap(Node node, String key) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (node instanceof MappingNode map) {
      for (NodeTuple entry : map.getValue()) {
        String name = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
        if (texts.containsKey(name)) {
          problem(entry.getKeyNode(), "'" + name + "' is given twice", null);
        }
        readText(entry.getValueNode(), key + "." + name).ifPresent(text -> texts.put(name, text));
      }
    } else {
      problem(node, key + ": expected keys and values, not " + kind(node), null);
    }
    return texts;
  }

  /** Reads the text of a scalar; a key with nothing behind it has none. */
  Optional<String> readText(Node node, String key) {
    if (node.getTag().equals(Tag.NULL)) {
      problem(node, key + ": no value is given", null);
      return Optional.empty();
    }
    if (node instanceof ScalarNode scalar) {
      return Optional.of(scalar.getValue());
    }
    problem(node, key + ": expected one value, not " + kind(node), null);
    return Optional.empty();
  }

  /** Reads the texts of a list, or the text of a scalar. */
  void readTexts(Node node, String key, BiConsumer<Node, String> each) {
    readItems(node, key, item -> readText(item, key).ifPresent(text -> each.accept(item, text)));
  }

  /** Reads the items of a list, or the node itself if it is no list. */
  void readItems(Node node, String key, Consumer<Node> each) {
    if (node instanceof SequenceNode sequence) {
      sequence.getValue().forEach(each);
    } else if (node instanceof ScalarNode) {
      each.accept(node);
    } else {
      problem(node, key + ": expected a list, not " + kind(node), key + ": [first, second]");
    }
  }

  /** Returns the place of a key in a map; dashes and underscores are the same. */
  static Optional<Node> keyNode(Node node, String key) {
    if (node instanceof MappingNode map) {
      for (NodeTuple entry : map.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode scalar
            && scalar.getValue().replace('_', '-').equals(key.replace('_', '-'))) {
          return Optional.of(scalar);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the value under a key of a map. */
  static Optional<Node> value(Node node, String key) {
    if (node instanceof MappingNode map) {
      for (NodeTuple entry : map.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(key)) {
          return Optional.of(entry.getValueNode());
        }
      }
    }
    return Optional.empty();
  }

  void problem(Node node, String message, @Nullable String hint) {
    Optional<Mark> mark = node.getStartMark();
    problem(
        mark.map(at -> at.getLine() + 1).orElse(1),
        mark.map(at -> at.getColumn() + 1).orElse(1),
        message,
        hint);
  }

  void problem(int line, int column, String message, @Nullable String hint) {
    problems.add(new ConfigProblem(line, column, message, Optional.ofNullable(hint)));
  }

  /** Notes the place where the file is not YAML. */
  void notYaml(MarkedYamlEngineException e) {
    Optional<Mark> mark = e.getProblemMark();
    problem(
        mark.map(at -> at.getLine() + 1).orElse(1),
        mark.map(at -> at.getColumn() + 1).orElse(1),
        "not YAML: " + words(e),
        null);
  }

  /** The parser's problem alone may be the second half of a sentence. */
  private static String words(MarkedYamlEngineException e) {
    String problem = String.valueOf(e.getProblem());
    return problem.startsWith("but ") ? e.getContext() + ", " + problem : problem;
  }

  private static String kind(Node node) {
    return switch (node) {
      case MappingNode map -> "a map";
      case SequenceNode sequence -> "a list";
      default -> "a single value";
    };
  }
}
