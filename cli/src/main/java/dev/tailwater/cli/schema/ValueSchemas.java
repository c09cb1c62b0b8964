package dev.tailwater.cli.schema;

import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import java.time.Duration;
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

  /**
   * A text that fits a pattern from its beginning to its end.
   *
   * @param expected what an editor says of another text; patterns are no messages
   */
  static SchemaNode text(String pattern, String expected) {
    return matching(SchemaNode.of("type", "string"), pattern, expected);
  }

  /** The same for a text that may look like a number. */
  static SchemaNode scalar(String pattern, String expected) {
    return matching(SchemaNode.of("type", SCALAR), pattern, expected);
  }

  private static SchemaNode matching(SchemaNode type, String pattern, String expected) {
    return type.with("pattern", "^" + pattern + "$")
        .with("patternErrorMessage", "expected " + expected);
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
    SchemaNode type =
        SchemaNode.of("type", List.of("integer", "string"))
            .with("minimum", low)
            .with("maximum", high);
    return matching(type, pattern, "a whole number from " + low + " to " + high);
  }

  /** A duration of at least so many milliseconds. */
  static SchemaNode duration(long leastMillis) {
    String least =
        leastMillis == 0 ? "" : ", at least " + Durations.format(Duration.ofMillis(leastMillis));
    return text(
        ValuePatterns.duration(leastMillis), "a duration such as 500ms, 1s, 2m or 1h" + least);
  }

  /** A size of at least so many bytes. */
  static SchemaNode size(long leastBytes) {
    return text(
        ValuePatterns.size(leastBytes),
        "a size such as 8MiB or 1GiB, at least " + ByteSizes.format(leastBytes));
  }

  /** A size in a range. */
  static SchemaNode size(long leastBytes, long mostBytes) {
    return text(ValuePatterns.size(leastBytes, mostBytes), range(leastBytes, mostBytes));
  }

  /** A size in a range, or {@code off}. */
  static SchemaNode sizeOrOff(long leastBytes, long mostBytes) {
    return text(
        "(?:off|" + ValuePatterns.size(leastBytes, mostBytes) + ")",
        "off, or " + range(leastBytes, mostBytes));
  }

  private static String range(long leastBytes, long mostBytes) {
    return "a size from " + ByteSizes.format(leastBytes) + " to " + ByteSizes.format(mostBytes);
  }

  /** A bandwidth. */
  static SchemaNode bandwidth() {
    return text(
        ValuePatterns.bandwidth(), "a bandwidth such as 10MiB/s or '08:00-18:00 2MiB/s, 10MiB/s'");
  }

  /** An age public key, or the name of a file. */
  static SchemaNode recipient() {
    String looksLikeKey = "\\s*(?:[aA][gG][eE](?:1|-[sS]|-[pP])|[sS][sS][hH]-)";
    // Bech32, whose check sum a pattern cannot tell.
    String key = "\\s*(?:age1[02-9ac-hj-np-z]{58}|AGE1[02-9AC-HJ-NP-Z]{58})\\s*";
    return scalar(
        "(?:" + key + "|(?!" + looksLikeKey + ")\\s*\\S[\\s\\S]*)",
        "an age public key (age1...) or the name of a file of them");
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
