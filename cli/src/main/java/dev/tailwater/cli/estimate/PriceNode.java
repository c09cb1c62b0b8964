package dev.tailwater.cli.estimate;

import dev.tailwater.cli.config.ShallowParser;
import dev.tailwater.cli.value.NearestWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A map in a table of prices. Every method throws an {@link IllegalArgumentException} that names
 * the key where the table does not have the expected shape.
 *
 * @param place in the table, for messages; empty: its top
 */
record PriceNode(String place, Map<String, Object> values) {
  static PriceNode parse(String yaml) {
    try {
      LoadSettings settings = LoadSettings.builder().build();
      return of(
          "",
          new StandardConstructor(settings)
              .constructSingleDocument(ShallowParser.compose(settings, yaml)));
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException("not YAML: " + e.getMessage(), e);
    }
  }

  private static PriceNode of(String place, @Nullable Object node) {
    if (!(node instanceof Map<?, ?> map)) {
      String where = place.isEmpty() ? "" : place + ": ";
      throw new IllegalArgumentException(where + "expected keys and values");
    }
    Map<String, Object> values = new LinkedHashMap<>();
    map.forEach((key, value) -> values.put(String.valueOf(key), value == null ? "" : value));
    return new PriceNode(place, values);
  }

  /** Refuses keys that are not among these: a mistyped one would be left out silently. */
  void knows(String... keys) {
    List<String> known = List.of(keys);
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        String meant =
            NearestWord.to(key, known)
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElse("known keys are " + String.join(", ", known));
        throw new IllegalArgumentException(at(key) + ": unknown key; " + meant);
      }
    }
  }

  String text(String key) {
    Object value = values.getOrDefault(key, "");
    if (value instanceof Map || value instanceof List || value.toString().isBlank()) {
      throw new IllegalArgumentException(at(key) + ": expected a text");
    }
    return value.toString();
  }

  double price(String key) {
    if (values.get(key) instanceof Number number
        && Double.isFinite(number.doubleValue())
        && number.doubleValue() >= 0) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(at(key) + ": expected a price such as 0.005, or 0");
  }

  List<PriceNode> items(String key) {
    if (!(values.get(key) instanceof List<?> items) || items.isEmpty()) {
      throw new IllegalArgumentException(at(key) + ": expected a list of stores");
    }
    List<PriceNode> nodes = new ArrayList<>();
    for (Object item : items) {
      nodes.add(of(at(key) + "[" + nodes.size() + "]", item));
    }
    return nodes;
  }

  /** Returns the place of a key, for messages. */
  String at(String key) {
    return place.isEmpty() ? key : place + "." + key;
  }
}
