package dev.tailwater.cli.config;

import dev.tailwater.cli.value.AtRiskBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.nodes.Node;

/** The reader of {@code max_at_risk} as a map of {@code bytes} and {@code age}. */
final class BoundNodes {
  private final YamlNodes nodes;

  BoundNodes(YamlNodes nodes) {
    this.nodes = nodes;
  }

  /** Returns the bound as text; empty if there are problems. */
  Optional<String> read(Node node, String key) {
    int problemsBefore = nodes.problems().size();
    List<String> parts = new ArrayList<>();
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    keys.put("bytes", value -> read(value, key + ".bytes", AtRiskBounds::bytes, parts));
    keys.put("age", value -> read(value, key + ".age", AtRiskBounds::age, parts));
    if (nodes.readMap(node, keys) && parts.isEmpty() && nodes.problems().size() == problemsBefore) {
      nodes.problem(node, key + " says nothing", key + ": {bytes: 64MiB, age: 5s}");
    }
    return nodes.problems().size() == problemsBefore
        ? Optional.of(String.join(",", parts))
        : Optional.empty();
  }

  private void read(Node node, String key, Consumer<String> check, List<String> parts) {
    nodes
        .readText(node, key)
        .ifPresent(
            text -> {
              try {
                check.accept(text);
                parts.add(text);
              } catch (IllegalArgumentException e) {
                nodes.problem(node, key + ": " + e.getMessage(), null);
              }
            });
  }
}
