package dev.tailwater.delivery.drain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.ArchiveNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The small object that tells at the destination, to the byte, what a dying machine left behind.
 */
final class LeftBehindRecord {
  private LeftBehindRecord() {}

  static String key(String agent) {
    return ArchiveNames.agentObject(agent, "left-behind.json");
  }

  static byte[] toJson(String agent, long atMillis, List<LeftBehind> leftBehind) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("format", 1);
      json.writeStringField("agent", agent);
      json.writeNumberField("atMillis", atMillis);
      LeftBehindJson.write(json, "streams", leftBehind);
      json.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }
}
