package dev.tailwater.cli.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.report.Bars;
import dev.tailwater.cli.report.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The output of the results, for people and as JSON. */
public final class BenchReport {
  private static final double NANOS_PER_MICRO = 1_000;

  private BenchReport() {}

  /** Prints a table of all results, and a histogram of the latencies of each. */
  public static void print(List<PhaseResult> results, PrintStream out) {
    Table table =
        new Table("WHAT", ">THREADS", ">PER SECOND", ">P50 us", ">P99 us", ">P99.9 us", ">MAX us");
    for (PhaseResult result : results) {
      Histogram latencies = result.latencies();
      table.row(
          result.name(),
          Integer.toString(result.threads()),
          String.format(Locale.ROOT, "%,.0f", result.perSecond()),
          micros(latencies.getValueAtPercentile(50)),
          micros(latencies.getValueAtPercentile(99)),
          micros(latencies.getValueAtPercentile(99.9)),
          micros(latencies.getMaxValue()));
    }
    table.print(out);
    for (PhaseResult result : results) {
      out.println();
      out.println(result.name() + ", threads: " + result.threads());
      spread(result.latencies()).print(out);
    }
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MICRO);
  }

  /** Groups latencies in steps that double. */
  private static Bars spread(Histogram latencies) {
    Bars bars = new Bars("LATENCY us", "OPERATIONS");
    long from = 0;
    long to = 500;
    boolean begun = false;
    while (from <= latencies.getMaxValue()) {
      long count = latencies.getCountBetweenValues(from, to - 1);
      begun |= count > 0;
      if (begun) {
        bars.add("< " + micros(to), count);
      }
      from = to;
      to *= 2;
    }
    return bars;
  }

  /** Writes an array of all results. */
  public static void write(List<PhaseResult> results, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("results");
    for (PhaseResult result : results) {
      Histogram latencies = result.latencies();
      json.writeStartObject();
      json.writeStringField("what", result.name());
      json.writeNumberField("threads", result.threads());
      json.writeNumberField("operations", result.operations());
      json.writeNumberField("nanos", result.nanos());
      json.writeNumberField("perSecond", Math.round(result.perSecond()));
      json.writeNumberField("p50Nanos", latencies.getValueAtPercentile(50));
      json.writeNumberField("p99Nanos", latencies.getValueAtPercentile(99));
      json.writeNumberField("p999Nanos", latencies.getValueAtPercentile(99.9));
      json.writeNumberField("maxNanos", latencies.getMaxValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
