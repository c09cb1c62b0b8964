package dev.tailwater.lab.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A series as JSON: its median and interval for users of jq, and the samples, which are read back.
 */
final class SeriesJson {
  private static final String SAMPLES = "samples";

  private SeriesJson() {}

  static final class Writer extends StdSerializer<Series> {
    private static final long serialVersionUID = 1L;

    Writer() {
      super(Series.class);
    }

    @Override
    public void serialize(Series series, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      Interval interval = series.interval();
      json.writeStartObject();
      json.writeNumberField("median", series.median());
      json.writeNumberField("low", interval.low());
      json.writeNumberField("high", interval.high());
      json.writeFieldName(SAMPLES);
      double[] samples = series.samples().stream().mapToDouble(Double::doubleValue).toArray();
      json.writeArray(samples, 0, samples.length);
      json.writeEndObject();
    }
  }

  static final class Reader extends StdDeserializer<Series> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(Series.class);
    }

    @Override
    public Series deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      List<Double> samples = new ArrayList<>();
      if (!parser.isExpectedStartObjectToken()) {
        throw broken(parser, "a series is an object");
      }
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        JsonToken token = parser.nextToken();
        if (!name.equals(SAMPLES)) {
          parser.skipChildren();
        } else if (token == JsonToken.START_ARRAY) {
          readSamples(parser, samples);
        } else {
          throw broken(parser, "samples are an array");
        }
      }
      if (samples.isEmpty()) {
        throw broken(parser, "a series needs at least one sample");
      }
      return new Series(samples);
    }

    private static void readSamples(JsonParser parser, List<Double> samples) throws IOException {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (!parser.currentToken().isNumeric() || !Double.isFinite(parser.getDoubleValue())) {
          throw broken(parser, "a sample is a number");
        }
        samples.add(parser.getDoubleValue());
      }
    }

    private static JsonMappingException broken(JsonParser parser, String problem) {
      return JsonMappingException.from(parser, problem);
    }
  }
}
