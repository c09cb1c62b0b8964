package dev.tailwater.lab.command;

import dev.tailwater.cli.host.Surroundings;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import picocli.CommandLine.Option;

/** The options for the output of the lab. */
final class LabOutputOptions {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'tailwater-lab-'yyyyMMdd-HHmmss");

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "The report. Default: tailwater-lab-DATE-TIME.html.")
  private String report = "";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "All figures as JSON, for compare and report. Default: beside the report. With"
              + " '-', the JSON goes to standard output and the text to standard error.")
  private String json = "";

  @Option(names = "--force", description = "Overwrite files that the lab has not written itself.")
  private boolean force;

  LabOutputs open(Surroundings surroundings, Instant start) throws IOException {
    String reportName =
        report.isEmpty() ? NAME.withZone(ZoneId.systemDefault()).format(start) + ".html" : report;
    String jsonName = json.isEmpty() ? reportName.replaceFirst("(\\.[^./]*)?$", ".json") : json;
    return LabOutputs.open(surroundings, reportName, jsonName, force);
  }
}
