package dev.tailwater.cli.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import dev.tailwater.cli.value.NearestWord;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A reader of entries from lines of JSON, as {@link EntryJson} writes them. It reads one at a time,
 * so that memory use is that of the longest entry. For one thread.
 */
public final class EntryLines implements AutoCloseable {
  private static final List<String> FIELDS =
      List.of(
          EntryJson.KEY,
          EntryJson.KEY + EntryJson.BASE64,
          EntryJson.VALUE,
          EntryJson.VALUE + EntryJson.BASE64,
          EntryJson.VERSION,
          EntryJson.EXPIRES_AT_MILLIS,
          EntryJson.TAGS);

  private final JsonParser json;

  /** Creates a reader of this input, which stays open. */
  public EntryLines(InputStream in) throws IOException {
    StreamReadConstraints constraints =
        StreamReadConstraints.builder()
            .maxStringLength(2 * KeyValueStore.MAX_VALUE_BYTES)
            .maxNestingDepth(10)
            .build();
    this.json = JsonFactory.builder().streamReadConstraints(constraints).build().createParser(in);
    json.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
    json.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  }

  /** A line is not an entry. */
  public static final class BadLineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;

    BadLineException(int line, String message) {
      super(message);
      this.line = line;
    }

    /** The number of the line, from 1. */
    public int line() {
      return line;
    }
  }

  /** Reads the next entry; empty at the end. Its version is 0 if the line has none. */
  public Optional<Entry> next() throws IOException, BadLineException {
    try {
      JsonToken token = json.nextToken();
      if (token == null) {
        return Optional.empty();
      }
      if (token != JsonToken.START_OBJECT) {
        throw bad("an entry is an object in braces, not " + json.getText());
      }
      return Optional.of(entry());
    } catch (StreamReadException e) { // no JSON, or a number that is too large
      throw new BadLineException(e.getLocation().getLineNr(), e.getOriginalMessage());
    } catch (StreamConstraintsException e) {
      throw bad(String.valueOf(e.getOriginalMessage()));
    }
  }

  private Entry entry() throws IOException, BadLineException {
    byte @Nullable [] key = null;
    byte @Nullable [] value = null;
    long version = 0;
    OptionalLong expiresAtMillis = OptionalLong.empty();
    Set<String> tags = Set.of();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "key", "keyBase64" -> {
          refuseSecond(key, EntryJson.KEY);
          key = bytes(name);
        }
        case "value", "valueBase64" -> {
          refuseSecond(value, EntryJson.VALUE);
          value = bytes(name);
        }
        case EntryJson.VERSION -> version = number(name);
        case EntryJson.EXPIRES_AT_MILLIS -> expiresAtMillis = OptionalLong.of(number(name));
        case EntryJson.TAGS -> tags = tags();
        default -> throw unknown(name);
      }
    }
    if (key == null || value == null) {
      throw bad("the entry has no " + (key == null ? EntryJson.KEY : EntryJson.VALUE));
    }
    return new Entry(key, value, version, expiresAtMillis, tags);
  }

  private void refuseSecond(byte @Nullable [] there, String name) throws BadLineException {
    if (there != null) {
      throw bad("the " + name + " is given both as text and as base64");
    }
  }

  private byte[] bytes(String name) throws IOException, BadLineException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw bad("'" + name + "' is no string");
    }
    String text = json.getText();
    if (!name.endsWith(EntryJson.BASE64)) {
      return utf8(text, name);
    }
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      throw bad("'" + name + "' is not base64: " + notBase64.getMessage());
    }
  }

  /** JSON can hold half of a surrogate pair, which has no UTF-8 and would become another key. */
  private byte[] utf8(String text, String name) throws BadLineException {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean isPair =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!isPair) {
          throw bad("'" + name + "' is no Unicode text; write its bytes as base64");
        }
        i++;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private long number(String name) throws IOException, BadLineException {
    if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw bad("'" + name + "' is no whole number");
    }
    return json.getLongValue();
  }

  private Set<String> tags() throws IOException, BadLineException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw bad("'tags' is no array");
    }
    Set<String> tags = new TreeSet<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw bad("a tag is no string");
      }
      String tag = json.getText();
      byte[] _ = utf8(tag, EntryJson.TAGS);
      tags.add(tag);
    }
    return tags;
  }

  private BadLineException unknown(String name) {
    String nearest =
        NearestWord.to(name, FIELDS).map(word -> "; did you mean '" + word + "'?").orElse("");
    return bad("an entry has no '" + name + "'" + nearest);
  }

  private BadLineException bad(String message) {
    return new BadLineException(line(), message);
  }

  /** Returns the number of the current line. */
  public int line() {
    return json.currentLocation().getLineNr();
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
