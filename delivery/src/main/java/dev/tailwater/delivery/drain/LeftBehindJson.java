package dev.tailwater.delivery.drain;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.record.JsonPaths;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.List;

/** Writes what is left behind as JSON, at the destination and in a report. */
public final class LeftBehindJson {
  private LeftBehindJson() {}

  /** How a path is written. */
  private interface PathWriter {
    void write(JsonGenerator json, String field, PosixPath path) throws IOException;
  }

  /** Writes an array field with one object per stream, for people. */
  public static void write(JsonGenerator json, String field, List<LeftBehind> leftBehind)
      throws IOException {
    write(json, field, leftBehind, (to, name, path) -> to.writeStringField(name, path.toString()));
  }

  /** The same with paths from which readers get every byte. */
  static void writeExactly(JsonGenerator json, String field, List<LeftBehind> leftBehind)
      throws IOException {
    write(json, field, leftBehind, JsonPaths::write);
  }

  private static void write(
      JsonGenerator json, String field, List<LeftBehind> leftBehind, PathWriter paths)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (LeftBehind left : leftBehind) {
      json.writeStartObject();
      paths.write(json, "path", left.path());
      json.writeStringField("stream", left.stream().text());
      json.writeArrayFieldStart("ranges");
      for (ByteRange range : left.ranges()) {
        json.writeStartObject();
        json.writeNumberField("startBytes", range.startBytes());
        json.writeNumberField("endBytes", range.endBytes());
        json.writeEndObject();
      }
      json.writeEndArray();
      if (left.growing()) {
        json.writeBooleanField("growing", true);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes an array field {@code destinations}: how much is left behind at each. */
  public static void writeDestinations(JsonGenerator json, List<DestinationDrain> destinations)
      throws IOException {
    json.writeArrayFieldStart("destinations");
    for (DestinationDrain destination : destinations) {
      json.writeStartObject();
      json.writeStringField("name", destination.name());
      json.writeBooleanField("required", destination.required());
      json.writeNumberField("deliveredBytes", destination.deliveredBytes());
      json.writeNumberField("deliveredSegments", destination.deliveredSegments());
      json.writeNumberField("leftBehindBytes", destination.leftBehindBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
