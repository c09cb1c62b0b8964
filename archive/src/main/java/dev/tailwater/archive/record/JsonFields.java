package dev.tailwater.archive.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object in a record. The parser is strict: sizes are limited, no field may
 * occur twice, and the type of every field is checked.
 */
final class JsonFields {
  static final int MAX_BYTES = 2 * 1024 * 1024;
  static final String FORMAT = "format";
  static final String VERSION = "version";
  static final int CURRENT_VERSION = 1;
  private static final int MAX_TEXT_CHARACTERS = 64 * 1024;
  private static final int MAX_DEPTH = 8;
  private static final int MAX_TOKENS = 10_000;

  /**
   * A value and its offset: String, Long, Boolean, JsonFields, List of values, or another object.
   */
  private record Value(Object content, long at) {}

  private static final Object OTHER = "a value of another kind".toCharArray();

  private final String key;
  private final long at;
  private final Map<String, Value> values = new LinkedHashMap<>();

  private JsonFields(String key, long at) {
    this.key = key;
    this.at = at;
  }

  /** Parses these bytes as one object and checks its format and version. */
  static JsonFields read(byte[] json, String key, String format)
      throws DamagedRecordException, UnsupportedFormatException {
    JsonFields fields = read(json, key, MAX_BYTES, MAX_TOKENS);
    if (!fields.text(FORMAT).equals(format)) {
      throw fields.damaged(FORMAT, "is not " + format);
    }
    long version = fields.number(VERSION, 1, Long.MAX_VALUE);
    if (version > CURRENT_VERSION) {
      throw new UnsupportedFormatException(
          key, format + " version " + version + "; this program reads " + CURRENT_VERSION);
    }
    return fields;
  }

  /** Parses these bytes as one object, whatever its format. */
  static JsonFields read(byte[] json, String key, int maxBytes, int maxTokens)
      throws DamagedRecordException {
    if (json.length > maxBytes) {
      throw new DamagedRecordException(key, maxBytes, "longer than any record");
    }
    JsonFields fields;
    try (JsonParser parser = factory(maxTokens).createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new DamagedRecordException(key, 0, "is not a JSON object");
      }
      fields = readObject(parser, key);
      if (parser.nextToken() != null) {
        throw new DamagedRecordException(key, offset(parser), "something follows the JSON object");
      }
    } catch (JsonProcessingException malformed) {
      long offsetBytes =
          malformed.getLocation() == null
              ? 0
              : Math.max(0, malformed.getLocation().getByteOffset());
      throw new DamagedRecordException(
          key, offsetBytes, "not JSON: " + malformed.getOriginalMessage());
    } catch (DamagedRecordException damaged) {
      throw damaged;
    } catch (IOException unreadable) {
      // Bytes that look like an encoding of JSON and are none.
      throw new DamagedRecordException(key, 0, "not JSON: " + unreadable.getMessage());
    }
    return fields;
  }

  private static JsonFactory factory(int maxTokens) {
    return JsonFactory.builder()
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxStringLength(MAX_TEXT_CHARACTERS)
                .maxNameLength(100)
                .maxNumberLength(20)
                .maxTokenCount(maxTokens)
                .build())
        .build();
  }

  private static long offset(JsonParser parser) {
    return Math.max(0, parser.currentTokenLocation().getByteOffset());
  }

  private static JsonFields readObject(JsonParser parser, String key) throws IOException {
    JsonFields fields = new JsonFields(key, offset(parser));
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      fields.values.put(name, readValue(parser, key));
    }
    return fields;
  }

  private static Value readValue(JsonParser parser, String key) throws IOException {
    long at = offset(parser);
    Object content =
        switch (parser.currentToken()) {
          case VALUE_STRING -> parser.getText();
          case VALUE_NUMBER_INT ->
              parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                  ? OTHER
                  : (Object) parser.getLongValue();
          case VALUE_TRUE -> true;
          case VALUE_FALSE -> false;
          case START_OBJECT -> readObject(parser, key);
          case START_ARRAY -> {
            List<Value> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
              elements.add(readValue(parser, key));
            }
            yield elements;
          }
          default -> OTHER;
        };
    return new Value(content, at);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns whether the field exists and is true. */
  boolean isTrue(String name) throws DamagedRecordException {
    if (!has(name)) {
      return false;
    }
    if (!(require(name) instanceof Boolean truth)) {
      throw damaged(name, "is neither true nor false");
    }
    return truth;
  }

  String text(String name) throws DamagedRecordException {
    if (require(name) instanceof String text) {
      return text;
    }
    throw damaged(name, "is not a text");
  }

  long number(String name, long min, long max) throws DamagedRecordException {
    if (require(name) instanceof Long number && number >= min && number <= max) {
      return number;
    }
    throw damaged(name, "is not a whole number between " + min + " and " + max);
  }

  OptionalLong optionalNumber(String name, long min, long max) throws DamagedRecordException {
    return has(name) ? OptionalLong.of(number(name, min, max)) : OptionalLong.empty();
  }

  Optional<JsonFields> object(String name) throws DamagedRecordException {
    if (!has(name)) {
      return Optional.empty();
    }
    if (require(name) instanceof JsonFields fields) {
      return Optional.of(fields);
    }
    throw damaged(name, "is not an object");
  }

  List<JsonFields> objects(String name, int max) throws DamagedRecordException {
    if (!(require(name) instanceof List<?> elements) || elements.size() > max) {
      throw damaged(name, "is not a list of at most " + max);
    }
    List<JsonFields> objects = new ArrayList<>();
    for (Object element : elements) {
      if (!(element instanceof Value value) || !(value.content() instanceof JsonFields fields)) {
        throw damaged(name, "holds something else than objects");
      }
      objects.add(fields);
    }
    return objects;
  }

  List<String> texts(String name, int max) throws DamagedRecordException {
    if (!(require(name) instanceof List<?> elements) || elements.size() > max) {
      throw damaged(name, "is not a list of at most " + max);
    }
    List<String> texts = new ArrayList<>();
    for (Object element : elements) {
      if (!(element instanceof Value value) || !(value.content() instanceof String text)) {
        throw damaged(name, "holds something else than texts");
      }
      texts.add(text);
    }
    return texts;
  }

  StreamId stream(String name) throws DamagedRecordException {
    String text = text(name);
    if (!StreamId.isValid(text)) {
      throw damaged(name, "is not a stream id");
    }
    return new StreamId(text);
  }

  /** Returns a path, which may be stored in two fields; see {@link JsonPaths}. */
  PosixPath path(String name) throws DamagedRecordException {
    String exact = name + JsonPaths.BYTES_SUFFIX;
    Optional<PosixPath> path =
        has(exact) ? JsonPaths.decode(text(exact), text(name)) : JsonPaths.ofText(text(name));
    return path.orElseThrow(() -> damaged(name, "is not a path"));
  }

  DamagedRecordException damaged(String name, String why) {
    @Nullable Value value = values.get(name);
    return new DamagedRecordException(
        key, value == null ? at : value.at(), "'" + name + "' " + why);
  }

  private Object require(String name) throws DamagedRecordException {
    @Nullable Value value = values.get(name);
    if (value == null) {
      throw damaged(name, "is missing");
    }
    return value.content();
  }
}
