package dev.tailwater.bench.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of one benchmark: what was measured, on what, when, by what command and under what load.
 * Holds no path of the machine.
 */
public final class RunReport {
  private final String name;
  private final List<Path> directories;
  private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Map<String, Object> facts = new LinkedHashMap<>();
  private final Map<String, Object> results = new LinkedHashMap<>();

  public RunReport(String name, Path measuredOn, List<Path> directories) throws IOException {
    this.name = name;
    this.directories = directories;
    facts.put("benchmark", name);
    facts.put("date", startedAt.toString());
    facts.putAll(Host.facts(measuredOn));
    facts.put("loadAverageBefore", Host.loadAverage());
  }

  /** A condition of the run, such as a size or a number of rounds. */
  public RunReport condition(String key, Object value) {
    facts.put(key, value);
    return this;
  }

  /** A figure; numbers, texts, {@link Samples}, and lists and maps of them. */
  public RunReport result(String key, Object value) {
    results.put(key, value);
    System.err.println(key + ": " + value);
    return this;
  }

  /** Figures that are too many to be shown while they come in. */
  public RunReport details(String key, Object value) {
    results.put(key, value);
    return this;
  }

  /** Prints the report and keeps it as a file, if there is a directory for it. */
  public void finish() throws IOException {
    facts.put("loadAverageAfter", Host.loadAverage());
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      facts.put("results", results);
      write(json, facts);
    }
    System.out.println(text);
    attach("json", text + "\n");
  }

  /** Returns in a few words on what this was measured, when, and under what load. */
  public String host() {
    return facts.get("fileSystem")
        + ", Linux "
        + facts.get("kernel")
        + ", load before "
        + facts.get("loadAverageBefore")
        + ", "
        + facts.get("date");
  }

  /** Keeps a text beside the report, under the same name. */
  public void attach(String extension, String text) throws IOException {
    String time = startedAt.toString().replaceAll("[-:]", "");
    for (Path directory : directories) {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve(name + "-" + time + "." + extension), text);
    }
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Samples samples -> write(json, samples.toMap());
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.writeFieldName(String.valueOf(entry.getKey()));
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        for (Object element : list) {
          write(json, element);
        }
        json.writeEndArray();
      }
      case Double number -> json.writeNumber(Math.round(number * 1e4) / 1e4);
      case Number number -> json.writeNumber(number.longValue());
      default -> json.writeString(value.toString());
    }
  }
}
