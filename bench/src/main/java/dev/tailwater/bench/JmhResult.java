package dev.tailwater.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tailwater.lab.measure.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON that JMH writes, as lists and maps, without what names places on this machine. */
final class JmhResult {
  private static final String WORK_ARGUMENT = "-D" + WorkDirectory.PROPERTY + "=";

  private JmhResult() {}

  /** All results: a list of one map for each benchmark and combination of parameters. */
  static Object read(Path file) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(file.toFile())) {
      parser.nextToken();
      return value(parser);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      default -> parser.getText();
    };
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      Object value = value(parser);
      if (!"jvm".equals(key)) {
        map.put(key, value);
      }
    }
    return map;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      Object value = value(parser);
      if (!(value instanceof String text && text.startsWith(WORK_ARGUMENT))) {
        list.add(value);
      }
    }
    return list;
  }
}
