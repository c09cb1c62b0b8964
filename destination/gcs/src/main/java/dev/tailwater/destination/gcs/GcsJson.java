package dev.tailwater.destination.gcs;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.tailwater.destination.cloud.ListPage;
import dev.tailwater.destination.cloud.Retention;
import dev.tailwater.destination.cloud.http.ErrorAnswer;
import dev.tailwater.destination.cloud.http.HttpAnswer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON of requests and answers. Answers are input: what is missing or odd is a failure. */
final class GcsJson {
  /** What a page of a list has at least one of, unless it is empty. */
  private static final Set<String> PAGE = Set.of("kind", "items", "nextPageToken", "prefixes");

  private GcsJson() {}

  /** Writes the attributes of a new object. */
  static String attributes(
      String name,
      Optional<String> crc32c,
      Optional<String> storageClass,
      Map<String, String> metadata,
      Optional<JsonObject> retention) {
    JsonObject attributes = new JsonObject();
    attributes.addProperty("name", name);
    crc32c.ifPresent(sum -> attributes.addProperty("crc32c", sum));
    storageClass.ifPresent(type -> attributes.addProperty("storageClass", type));
    if (!metadata.isEmpty()) {
      JsonObject pairs = new JsonObject();
      metadata.forEach(pairs::addProperty);
      attributes.add("metadata", pairs);
    }
    retention.ifPresent(limit -> attributes.add("retention", limit));
    return attributes.toString();
  }

  /** Writes the retention of a new object. */
  static JsonObject retention(Retention retention, Instant now) {
    JsonObject limit = new JsonObject();
    limit.addProperty("mode", retention.locked() ? "Locked" : "Unlocked");
    limit.addProperty("retainUntilTime", retention.until(now).toString());
    return limit;
  }

  /** An object as the answer to its upload describes it. */
  record Stored(Optional<String> crc32c, Optional<String> generation) {}

  /** Fails where the answer tells of no object, since a proxy may answer with anything. */
  static Stored stored(HttpAnswer answer) {
    JsonObject object = object(answer);
    Stored stored = new Stored(text(object, "crc32c"), text(object, "generation"));
    if (stored.crc32c().isEmpty() && stored.generation().isEmpty()) {
      throw answer.unexpected("does not tell of an object");
    }
    return stored;
  }

  static ListPage page(HttpAnswer answer) {
    JsonObject page = object(answer);
    // An empty bucket may be answered with an empty object.
    if (page.size() > 0 && PAGE.stream().noneMatch(page::has)) {
      throw answer.unexpected("is not a list");
    }
    List<ListPage.Item> items = new ArrayList<>();
    @Nullable JsonElement listed = page.get("items");
    if (listed instanceof JsonArray array) {
      for (JsonElement element : array) {
        items.add(item(element));
      }
    }
    Optional<String> next = text(page, "nextPageToken").filter(token -> !token.isEmpty());
    return new ListPage(items, next.isPresent(), next);
  }

  private static ListPage.Item item(JsonElement element) {
    if (!(element instanceof JsonObject object)) {
      return new ListPage.Item(Optional.empty(), OptionalLong.empty(), 0);
    }
    return new ListPage.Item(
        text(object, "name"),
        text(object, "size").map(GcsJson::size).orElse(OptionalLong.empty()),
        text(object, "updated").map(GcsJson::millis).orElse(0L));
  }

  private static OptionalLong size(String text) {
    return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }

  private static long millis(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      return 0;
    }
  }

  /** Returns what a refusal says, which need not be JSON. */
  static ErrorAnswer error(HttpAnswer answer) {
    String request = answer.header("x-guploader-uploadid").orElse("");
    try {
      if (JsonParser.parseString(answer.text()) instanceof JsonObject whole
          && whole.get("error") instanceof JsonObject error) {
        String message = text(error, "message").orElse("");
        String reason = "";
        if (error.get("errors") instanceof JsonArray errors
            && !errors.isEmpty()
            && errors.get(0) instanceof JsonObject first) {
          reason = text(first, "reason").orElse("");
        }
        return new ErrorAnswer(answer.status(), reason, message, request);
      }
    } catch (JsonParseException | StackOverflowError e) {
      // Reported as text.
    }
    return new ErrorAnswer(answer.status(), "", answer.text(), request);
  }

  private static JsonObject object(HttpAnswer answer) {
    try {
      if (JsonParser.parseString(answer.text()) instanceof JsonObject object) {
        return object;
      }
    } catch (JsonParseException | StackOverflowError e) {
      // Reported as anything else that is no object.
    }
    throw answer.unexpected("is not an object of JSON");
  }

  private static Optional<String> text(JsonObject object, String name) {
    @Nullable JsonElement value = object.get(name);
    return value == null || !value.isJsonPrimitive()
        ? Optional.empty()
        : Optional.of(value.getAsString());
  }
}
