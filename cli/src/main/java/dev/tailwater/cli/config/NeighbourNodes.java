package dev.tailwater.cli.config;

import dev.tailwater.delivery.neighbour.NeighbourSettings;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The reader of {@code neighbour}: {@code off}, or a map in which {@code pressure} may be a map
 * too.
 */
final class NeighbourNodes {
  private static final String PRESSURE = "pressure";

  private final YamlNodes nodes;
  private final Consumer<UnaryOperator<NeighbourSettings>> changes;

  /**
   * @param changes is told each change, and may throw IllegalArgumentException
   */
  NeighbourNodes(YamlNodes nodes, Consumer<UnaryOperator<NeighbourSettings>> changes) {
    this.nodes = nodes;
    this.changes = changes;
  }

  void read(Node node) {
    String key = ShipKey.NEIGHBOUR.key();
    if (!(node instanceof MappingNode)) {
      nodes
          .readText(node, key)
          .ifPresent(text -> change(node, key, s -> NeighbourText.apply(s, text)));
      return;
    }
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    for (String setting : NeighbourText.KEYS) {
      keys.put(setting, value -> readSetting(value, setting));
    }
    keys.put(PRESSURE, this::readPressure);
    nodes.readMap(node, keys);
  }

  private void readSetting(Node node, String setting) {
    String key = ShipKey.NEIGHBOUR.key() + "." + setting;
    nodes
        .readText(node, key)
        .ifPresent(text -> change(node, key, s -> NeighbourText.apply(s, setting, text)));
  }

  private void readPressure(Node node) {
    if (!(node instanceof MappingNode)) {
      readSetting(node, PRESSURE);
      return;
    }
    Map<String, Consumer<Node>> keys = new TreeMap<>();
    for (String resource : NeighbourText.RESOURCES) {
      String key = ShipKey.NEIGHBOUR.key() + "." + PRESSURE + "." + resource;
      keys.put(
          resource,
          value ->
              nodes
                  .readText(value, key)
                  .ifPresent(
                      text ->
                          change(value, key, s -> NeighbourText.applyPressure(s, resource, text))));
    }
    nodes.readMap(node, keys);
  }

  private void change(Node node, String key, UnaryOperator<NeighbourSettings> change) {
    try {
      changes.accept(change);
    } catch (IllegalArgumentException e) {
      nodes.problem(node, key + ": " + e.getMessage(), null);
    }
  }
}
