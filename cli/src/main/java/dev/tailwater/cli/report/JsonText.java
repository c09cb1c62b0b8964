package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON that a running agent sent, as plain values: maps, lists, texts, whole numbers, truth values.
 */
public final class JsonText {
  private final Map<String, Object> fields;

  private JsonText(Map<String, Object> fields) {
    this.fields = fields;
  }

  /** Reads one object. */
  public static JsonText parse(String json) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not a JSON object: " + json);
      }
      return new JsonText(object(parser));
    }
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(parser));
    }
    return fields;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        yield items;
      }
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> parser.getLongValue();
      default -> parser.getText();
    };
  }

  /** Whether there is such a field. */
  public boolean has(String name) {
    return fields.containsKey(name);
  }

  /** Returns a text; empty if there is none. */
  public String text(String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  /** Returns a whole number; 0 if there is none. */
  public long number(String name) {
    return fields.get(name) instanceof Long number ? number : 0;
  }

  /** Returns a truth value; false if there is none. */
  public boolean isTrue(String name) {
    return Boolean.TRUE.equals(fields.get(name));
  }

  /** Returns an object; one without fields if there is none. */
  public JsonText object(String name) {
    return fields.get(name) instanceof Map<?, ?> map ? copy(map) : new JsonText(Map.of());
  }

  private static JsonText copy(Map<?, ?> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return new JsonText(copy);
  }

  /** Returns the objects in a list; none if there is no such list. */
  public List<JsonText> objects(String name) {
    List<JsonText> objects = new ArrayList<>();
    if (fields.get(name) instanceof List<?> items) {
      for (Object item : items) {
        if (item instanceof Map<?, ?> map) {
          objects.add(copy(map));
        }
      }
    }
    return objects;
  }

  /** Returns the texts in a list; none if there is no such list. */
  public List<String> texts(String name) {
    return fields.get(name) instanceof List<?> items
        ? items.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }

  /** Writes all fields into an object that is open. */
  public void writeFields(JsonGenerator json) throws IOException {
    for (Map.Entry<String, Object> field : fields.entrySet()) {
      json.writeFieldName(field.getKey());
      write(json, field.getValue());
    }
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> field : map.entrySet()) {
          json.writeFieldName(String.valueOf(field.getKey()));
          write(json, field.getValue());
        }
        json.writeEndObject();
      }
      case List<?> items -> {
        json.writeStartArray();
        for (Object item : items) {
          write(json, item);
        }
        json.writeEndArray();
      }
      case Boolean truth -> json.writeBoolean(truth);
      case Long number -> json.writeNumber(number);
      default -> json.writeString(value.toString());
    }
  }
}
