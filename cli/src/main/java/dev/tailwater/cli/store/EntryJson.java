package dev.tailwater.cli.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.store.Entry;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;
import java.util.TreeSet;

/**
 * An entry as a JSON object. A key or value that is UTF-8 text has its name; others are in base64,
 * with {@code Base64} after the name.
 */
public final class EntryJson {
  static final String KEY = "key";
  static final String VALUE = "value";
  static final String BASE64 = "Base64";
  static final String VERSION = "version";
  static final String EXPIRES_AT_MILLIS = "expiresAtMillis";
  static final String TAGS = "tags";

  private EntryJson() {}

  /** Writes the whole object. */
  public static void write(JsonGenerator json, Entry entry, boolean withValue) throws IOException {
    json.writeStartObject();
    bytes(json, KEY, entry.key());
    if (withValue) {
      bytes(json, VALUE, entry.value());
    }
    json.writeNumberField(VERSION, entry.version());
    if (entry.expiresAtMillis().isPresent()) {
      json.writeNumberField(EXPIRES_AT_MILLIS, entry.expiresAtMillis().getAsLong());
    }
    if (!entry.tags().isEmpty()) {
      json.writeArrayFieldStart(TAGS);
      for (String tag : new TreeSet<>(entry.tags())) {
        json.writeString(tag);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** Writes bytes as text under this name, or as base64 under a longer one. */
  public static void bytes(JsonGenerator json, String name, byte[] bytes) throws IOException {
    Optional<String> text = LosslessText.of(bytes);
    if (text.isPresent()) {
      json.writeStringField(name, text.get());
    } else {
      json.writeStringField(name + BASE64, Base64.getEncoder().encodeToString(bytes));
    }
  }
}
