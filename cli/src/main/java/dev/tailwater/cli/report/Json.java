package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.OutputStream;

/** Writes one JSON document to an output that stays open. */
public final class Json {
  private Json() {}

  /**
   * The writer of the content. Every field name that it writes is part of the command's contract.
   */
  @FunctionalInterface
  public interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  /** Creates a generator whose JSON is harmless to a terminal. */
  public static JsonGenerator generator(OutputStream out) throws IOException {
    return new JsonFactory().createGenerator(out).setCharacterEscapes(new JsonEscapes());
  }

  /** Writes an object, indented, with a line end after it. */
  public static void object(OutputStream out, Body body) throws IOException {
    value(
        out,
        json -> {
          json.writeStartObject();
          body.write(json);
          json.writeEndObject();
        });
  }

  /** Writes the one value that the body writes, indented, with a line end after it. */
  public static void value(OutputStream out, Body body) throws IOException {
    Separators separators =
        Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
            .withObjectEntrySpacing(Separators.Spacing.NONE);
    JsonGenerator json = generator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new DefaultPrettyPrinter(separators));
    body.write(json);
    json.writeRaw('\n');
    json.close();
  }
}
