package dev.tailwater.cli.schema;

import java.util.List;

/** Schemas of single values. The configuration file takes every scalar as text. */
final class ValueSchemas {
  private static final List<String> SCALAR = List.of("string", "number", "boolean");
  private static final String NOT_BLANK = "\\S";

  private ValueSchemas() {}

  /** A text that is not empty; a number without quotes is one too. */
  static SchemaNode text() {
    return SchemaNode.of("type", SCALAR).with("pattern", NOT_BLANK);
  }

  /** Any text, also an empty one. */
  static SchemaNode anyText() {
    return SchemaNode.of("type", SCALAR);
  }

  /** A text that fits a pattern from its beginning to its end. */
  static SchemaNode text(String pattern) {
    return SchemaNode.of("type", "string").with("pattern", "^" + pattern + "$");
  }

  /** The same for a text that may look like a number. */
  static SchemaNode scalar(String pattern) {
    return SchemaNode.of("type", SCALAR).with("pattern", "^" + pattern + "$");
  }

  /** One of several words. */
  static SchemaNode word(String... words) {
    return SchemaNode.of("enum", List.of(words));
  }

  /** A truth value, as such or as text. */
  static SchemaNode truth() {
    return SchemaNode.of("enum", List.of(true, false, "true", "false"));
  }

  /** A whole number, as such or as text. */
  static SchemaNode count(int low, int high, String pattern) {
    return SchemaNode.of("type", List.of("integer", "string"))
        .with("minimum", low)
        .with("maximum", high)
        .with("pattern", "^" + pattern + "$");
  }

  /** A duration of at least so many milliseconds. */
  static SchemaNode duration(long leastMillis) {
    return text(ValuePatterns.duration(leastMillis));
  }

  /** A size. */
  static SchemaNode size(long leastBytes, long mostBytes) {
    return text(ValuePatterns.size(leastBytes, mostBytes));
  }

  /** A command: a text for the shell, or a program and its arguments. */
  static SchemaNode command() {
    SchemaNode words =
        SchemaNode.of("type", "array")
            .with("minItems", 1)
            .with("items", List.of(text()))
            .with("additionalItems", anyText());
    return SchemaNode.anyOf(text(), words);
  }
}
