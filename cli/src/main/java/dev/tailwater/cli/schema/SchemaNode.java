package dev.tailwater.cli.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON object of a schema, with its keywords in a fixed order. Immutable. */
final class SchemaNode {
  /** The schema that everything fits. */
  static final SchemaNode ANYTHING = new SchemaNode(Map.of());

  private final Map<String, Object> keywords;

  private SchemaNode(Map<String, Object> keywords) {
    this.keywords = keywords;
  }

  /** Returns a schema with one keyword. */
  static SchemaNode of(String keyword, Object value) {
    return ANYTHING.with(keyword, value);
  }

  /** Returns a schema for values that fit one of several. */
  static SchemaNode anyOf(SchemaNode... several) {
    return of("anyOf", List.of(several));
  }

  /** Returns a schema for values that do not fit another. */
  static SchemaNode not(SchemaNode other) {
    return of("not", other);
  }

  /** Returns a schema for objects that have all these properties, whatever else they have. */
  static SchemaNode required(String... properties) {
    return of("required", List.of(properties));
  }

  /** Returns the schemas of properties, in their order. */
  static SchemaNode properties(Map<String, SchemaNode> properties) {
    return new SchemaNode(new LinkedHashMap<>(properties));
  }

  /** Returns a schema for objects with these properties and no others. */
  static SchemaNode object(Map<String, SchemaNode> properties) {
    return of("type", "object")
        .with("properties", properties(properties))
        .with("additionalProperties", false);
  }

  /** Returns a schema for one item, or a list of items. */
  static SchemaNode oneOrMany(SchemaNode item) {
    return anyOf(item, listOf(item));
  }

  /** Returns a schema for a list. */
  static SchemaNode listOf(SchemaNode item) {
    return of("type", "array").with("items", item);
  }

  /**
   * Returns the same schema with a keyword more, or another value of it.
   *
   * @param value a text, a number, a truth value, a schema, or a list of these
   */
  SchemaNode with(String keyword, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(keywords);
    more.put(keyword, value);
    return new SchemaNode(more);
  }

  /** Returns the same schema with a description in front. */
  SchemaNode describedAs(String description) {
    Map<String, Object> more = new LinkedHashMap<>();
    more.put("description", description);
    more.putAll(keywords);
    return new SchemaNode(more);
  }

  /** Writes the keywords into an object that is open. */
  void writeFields(JsonGenerator json) throws IOException {
    for (Map.Entry<String, Object> keyword : keywords.entrySet()) {
      json.writeFieldName(keyword.getKey());
      write(json, keyword.getValue());
    }
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case SchemaNode node -> {
        json.writeStartObject();
        node.writeFields(json);
        json.writeEndObject();
      }
      case Collection<?> items -> {
        json.writeStartArray();
        for (Object item : items) {
          write(json, item);
        }
        json.writeEndArray();
      }
      case Boolean truth -> json.writeBoolean(truth);
      case Integer number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      default -> json.writeString(value.toString());
    }
  }
}
