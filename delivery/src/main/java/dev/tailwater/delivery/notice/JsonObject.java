package dev.tailwater.delivery.notice;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON object: texts, numbers as texts, lists and objects. A field that is null counts as absent.
 */
final class JsonObject {
  private static final int MAX_DEPTH = 32;

  private final Map<String, Object> fields;

  private JsonObject(Map<String, Object> fields) {
    this.fields = fields;
  }

  /**
   * Parses exactly one object.
   *
   * @throws IOException when it is something else
   */
  static JsonObject parse(String json) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not a JSON object");
      }
      JsonObject object = object(parser, 0);
      if (parser.nextToken() != null) {
        throw new IOException("more than one JSON object");
      }
      return object;
    } catch (JsonProcessingException e) {
      throw new IOException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static JsonObject object(JsonParser parser, int depth) throws IOException {
    Map<String, Object> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      value(parser, parser.nextToken(), depth).ifPresent(value -> fields.put(name, value));
    }
    return new JsonObject(fields);
  }

  private static Optional<Object> value(JsonParser parser, JsonToken token, int depth)
      throws IOException {
    if (depth > MAX_DEPTH) {
      throw new IOException("JSON that is nested too deeply");
    }
    return switch (token) {
      case START_OBJECT -> Optional.of(object(parser, depth + 1));
      case START_ARRAY -> Optional.of(items(parser, depth + 1));
      case VALUE_NULL -> Optional.empty();
      default -> Optional.of(parser.getText());
    };
  }

  private static List<Object> items(JsonParser parser, int depth) throws IOException {
    List<Object> items = new ArrayList<>();
    for (JsonToken item = parser.nextToken();
        item != JsonToken.END_ARRAY;
        item = parser.nextToken()) {
      value(parser, item, depth).ifPresent(items::add);
    }
    return items;
  }

  /** Returns a text, a number or a boolean as text. */
  Optional<String> text(String name) {
    return fields.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /**
   * As {@link #text}.
   *
   * @throws IOException when it is a list or an object
   */
  Optional<String> textOnly(String name) throws IOException {
    if (fields.containsKey(name) && !(fields.get(name) instanceof String)) {
      throw new IOException("expected a text or a number as '" + name + "'");
    }
    return text(name);
  }

  /** Returns whether there is a list of this name. */
  boolean hasList(String name) {
    return fields.get(name) instanceof List<?>;
  }

  /** Returns the objects in a list; empty if there is no such list. */
  List<JsonObject> objects(String name) {
    return items(name, JsonObject.class);
  }

  /** Returns the texts in a list; empty if there is no such list. */
  List<String> texts(String name) {
    return items(name, String.class);
  }

  private <T> List<T> items(String name, Class<T> type) {
    return fields.get(name) instanceof List<?> items
        ? items.stream().filter(type::isInstance).map(type::cast).toList()
        : List.of();
  }
}
