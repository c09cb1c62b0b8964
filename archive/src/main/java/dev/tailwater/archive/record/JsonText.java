package dev.tailwater.archive.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A writer of records as indented JSON objects that begin with format and version. */
final class JsonText {
  private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");

  private JsonText() {}

  /** A writer of the fields of one record. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] write(String format, Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(LINES));
      json.writeStartObject();
      json.writeStringField(JsonFields.FORMAT, format);
      json.writeNumberField(JsonFields.VERSION, JsonFields.CURRENT_VERSION);
      fields.write(json);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException impossible) {
      throw new UncheckedIOException("writing into an array", impossible);
    }
    return bytes.toByteArray();
  }
}
