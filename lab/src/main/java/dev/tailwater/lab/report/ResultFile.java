package dev.tailwater.lab.report;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.lab.result.Series;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A result as JSON. The first field is {@code format}. Unknown fields are ignored, so that later
 * versions can add some.
 */
public final class ResultFile {
  /** The size of the largest file that is read, which no result comes near. */
  static final long MOST_BYTES = 64L << 20;

  private ResultFile() {}

  /** Writes a result as indented text with a line end. */
  public static byte[] write(LabResult result) throws IOException {
    byte[] json = mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(result);
    byte[] lines = Arrays.copyOf(json, json.length + 1);
    lines[json.length] = '\n';
    return lines;
  }

  /**
   * Reads a result.
   *
   * @throws ResultFormatException the file is no result, has another format, or is broken
   * @throws IOException the file cannot be read
   */
  public static LabResult read(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new ResultFormatException(file + " is not a file");
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new ResultFormatException(file + " is too large for a result of the lab");
    }
    byte[] json = Files.readAllBytes(file);
    requireFormat(file, json);
    try {
      return mapper().readValue(json, LabResult.class);
    } catch (JsonProcessingException e) {
      throw new ResultFormatException(file + " is a broken result of the lab: " + where(e), e);
    }
  }

  /** Returns whether a file was written by {@link #write}. Reads only its beginning. */
  public static boolean isResult(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        JsonParser parser = mapper().createParser(in.readNBytes(4096))) {
      return format(parser) > 0;
    } catch (JsonProcessingException | CharConversionException e) {
      return false;
    }
  }

  private static void requireFormat(Path file, byte[] json) throws IOException {
    int format;
    try (JsonParser parser = mapper().createParser(json)) {
      format = format(parser);
    } catch (JsonProcessingException | CharConversionException e) {
      throw new ResultFormatException(file + " is no result of the lab: it is not JSON", e);
    }
    if (format == 0) {
      throw new ResultFormatException(file + " is no result of the lab");
    }
    if (format != LabResult.FORMAT) {
      throw new ResultFormatException(
          file
              + " has format "
              + format
              + ", and this version of Tailwater knows format "
              + LabResult.FORMAT);
    }
  }

  /** Returns the format number at the beginning of a result; 0 if there is none. */
  private static int format(JsonParser parser) throws IOException {
    boolean begins =
        parser.nextToken() == JsonToken.START_OBJECT
            && "format".equals(parser.nextFieldName())
            && parser.nextToken() == JsonToken.VALUE_NUMBER_INT;
    return begins ? parser.getIntValue() : 0;
  }

  private static String where(JsonProcessingException e) {
    String problem = e.getOriginalMessage();
    return e.getLocation() == null ? problem : problem + ", line " + e.getLocation().getLineNr();
  }

  private static JsonMapper mapper() {
    SimpleModule own = new SimpleModule();
    own.addSerializer(Series.class, new SeriesJson.Writer());
    own.addDeserializer(Series.class, new SeriesJson.Reader());
    return JsonMapper.builder()
        .addModule(new Jdk8Module())
        .addModule(own)
        .enable(SerializationFeature.INDENT_OUTPUT)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .build();
  }
}
