package dev.tailwater.delivery.drain;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.List;

/** Writes what is in no archive as JSON, the same at the destination, in reports and in status. */
public final class LossesJson {
  private LossesJson() {}

  /**
   * Writes the fields {@code missedFiles}, {@code missed}, {@code perhapsMissedFiles}, {@code
   * perhapsMissed}, {@code changedFiles} and {@code changedInPlace}.
   */
  public static void write(JsonGenerator json, Losses.Report losses) throws IOException {
    json.writeNumberField("missedFiles", losses.missedFiles());
    writePaths(json, "missed", losses.missed());
    json.writeNumberField("perhapsMissedFiles", losses.perhapsMissedFiles());
    writePaths(json, "perhapsMissed", losses.perhapsMissed());
    json.writeNumberField("changedFiles", losses.changedFiles());
    json.writeArrayFieldStart("changedInPlace");
    for (Losses.Changed changed : losses.changed()) {
      json.writeStartObject();
      json.writeStringField("path", changed.path().toString());
      json.writeStringField("stream", changed.stream().text());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writePaths(JsonGenerator json, String field, List<PosixPath> paths)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (PosixPath path : paths) {
      json.writeString(path.toString());
    }
    json.writeEndArray();
  }
}
