package dev.tailwater.cli.probe;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.destination.contract.CheckGroup;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The output of a report, for people and as JSON. */
public final class ProbePrinter {
  /** The most objects left behind that are named; JSON has all. */
  private static final int NAMED = 20;

  private final ProbeReport report;
  private final Scratch scratch;
  private final Leftovers remains;

  public ProbePrinter(ProbeReport report, Scratch scratch, Leftovers remains) {
    this.report = report;
    this.scratch = scratch;
    this.remains = remains;
  }

  /** Prints the overall result, in one sentence. */
  public String sentence() {
    return Printable.line(report.destination() + " " + report.words());
  }

  /** Prints a table of all findings, then explains those that are not as they should be. */
  public void print(PrintStream out) {
    table().print(out);
    Set<String> said = new HashSet<>();
    for (Finding finding : report.findings()) {
      // If nothing works there is one reason, which is printed once.
      boolean again = !report.reached() && !said.add(finding.remedy());
      if (finding.verdict().needsWords() && !again) {
        out.println();
        out.println(finding.verdict() + "  " + finding.name());
        line(out, "found", finding.found());
        line(out, "means", finding.meaning());
        line(out, "to do", finding.remedy());
      }
    }
    if (!report.advice().isEmpty()) {
      out.println();
      report.advice().forEach(out::println);
    }
    out.println();
    if (report.reached()) {
      printRemains(out);
    }
    out.println(sentence());
  }

  private static void line(PrintStream out, String label, String text) {
    if (!text.isEmpty()) {
      out.println("  " + label + "  " + Printable.line(text));
    }
  }

  private Table table() {
    Table table = new Table("WHAT", "RESULT", "FOUND");
    rows(table, Step.PERMISSION);
    promises(table);
    rows(table, Step.CLOCK);
    rows(table, Step.LATENCY);
    rows(table, Step.THROUGHPUT);
    return table;
  }

  private void rows(Table table, Step step) {
    for (Finding finding : report.findings()) {
      if (finding.step() == step) {
        String found = finding.verdict().isProblem() ? "" : Printable.line(finding.found());
        table.row(finding.name(), finding.verdict().name(), found);
      }
    }
  }

  /** Prints a line for each group of promises; those that are not kept are explained below. */
  private void promises(Table table) {
    for (CheckGroup group : CheckGroup.values()) {
      List<Finding> promises =
          report.findings().stream()
              .filter(finding -> finding.step() == Step.PROMISE)
              .filter(finding -> finding.name().startsWith(group.word() + ": "))
              .toList();
      if (promises.isEmpty()) {
        continue;
      }
      long kept = promises.stream().filter(f -> f.verdict() == Verdict.OK).count();
      long skipped = promises.stream().filter(f -> f.verdict() == Verdict.SKIPPED).count();
      Verdict worst =
          promises.stream()
              .map(Finding::verdict)
              .filter(verdict -> verdict != Verdict.SKIPPED || kept == 0)
              .max(Verdict::compareTo)
              .orElse(Verdict.OK);
      table.row(
          "promises of " + group.word(),
          worst.name(),
          kept
              + " of "
              + promises.size()
              + " kept"
              + (skipped == 0 ? "" : ", " + skipped + " not tried"));
    }
  }

  private void printRemains(PrintStream out) {
    String made =
        scratch.puts()
            + " puts of "
            + ByteSizes.forPeople(scratch.putBytes())
            + " were made below "
            + scratch.folder();
    if (remains.why().isEmpty()) {
      out.println(made + ", and all of it is removed.");
      return;
    }
    out.println(made + ", and not all of it is removed: " + Printable.line(remains.why().get()));
    remains.keys().stream()
        .limit(NAMED)
        .forEach(key -> out.println("  left: " + Printable.line(key)));
    if (remains.keys().size() > NAMED) {
      out.println("  and " + (remains.keys().size() - NAMED) + " more (--json names them all)");
    }
    out.println("Remove everything below " + scratch.folder() + " there.");
  }

  /** Writes the fields of an object. */
  public void write(JsonGenerator json) throws IOException {
    json.writeStringField("destination", report.destination().toString());
    json.writeStringField("fitness", report.fitness().word());
    json.writeStringField("sentence", sentence());
    json.writeArrayFieldStart("findings");
    for (Finding finding : report.findings()) {
      json.writeStartObject();
      json.writeStringField("step", finding.step().word());
      json.writeStringField("name", finding.name());
      json.writeStringField("result", finding.verdict().name().toLowerCase(Locale.ROOT));
      json.writeBooleanField("vital", finding.vital());
      json.writeStringField("found", finding.found());
      json.writeStringField("meaning", finding.meaning());
      json.writeStringField("remedy", finding.remedy());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("latencies");
    for (Timing timing : report.timings()) {
      json.writeStartObject();
      json.writeStringField("what", timing.what());
      json.writeNumberField("calls", timing.latencies().getTotalCount());
      json.writeNumberField("p50Nanos", timing.nanosAt(50));
      json.writeNumberField("p90Nanos", timing.nanosAt(90));
      json.writeNumberField("p99Nanos", timing.nanosAt(99));
      json.writeNumberField("maxNanos", timing.latencies().getMaxValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("throughputs");
    for (Throughput throughput : report.throughputs()) {
      json.writeStartObject();
      json.writeNumberField("parallelPuts", throughput.parallel());
      json.writeNumberField("segmentBytes", throughput.segmentBytes());
      json.writeNumberField("bytes", throughput.bytes());
      json.writeNumberField("nanos", throughput.nanos());
      json.writeNumberField("bytesPerSecond", Math.round(throughput.bytesPerSecond()));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("advice");
    for (String sentence : report.advice()) {
      json.writeString(sentence);
    }
    json.writeEndArray();
    json.writeStringField("folder", scratch.folder());
    json.writeNumberField("puts", scratch.puts());
    json.writeNumberField("putBytes", scratch.putBytes());
    json.writeBooleanField("removedAll", remains.why().isEmpty());
    json.writeStringField("notRemovedBecause", remains.why().orElse(""));
    json.writeArrayFieldStart("left");
    for (String key : remains.keys()) {
      json.writeString(key);
    }
    json.writeEndArray();
  }
}
