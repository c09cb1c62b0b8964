package dev.tailwater.lab.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.lab.report.ReportPage;
import dev.tailwater.lab.report.ResultFile;
import dev.tailwater.lab.result.LabResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The outputs of a run: a report, a JSON file or standard output, and text. */
final class LabOutputs {
  /** The name that means standard output instead of a file. */
  private static final String STDOUT = "-";

  private final Surroundings surroundings;
  private final OutputFile report;
  private final Optional<OutputFile> json;

  private LabOutputs(Surroundings surroundings, OutputFile report, Optional<OutputFile> json) {
    this.surroundings = surroundings;
    this.report = report;
    this.json = json;
  }

  /** Checks that the files can be written. */
  public static LabOutputs open(
      Surroundings surroundings, String report, String json, boolean force) throws IOException {
    OutputFile page =
        OutputFile.at("--report", surroundings.absolute(report), ReportPage::isReport, force);
    if (json.equals(STDOUT)) {
      return new LabOutputs(surroundings, page, Optional.empty());
    }
    OutputFile figures =
        OutputFile.at("--json", surroundings.absolute(json), ResultFile::isResult, force);
    if (figures.path().equals(page.path())) {
      throw UserException.usage(
          "--json and --report are the same file", "give the report a name that ends in .html");
    }
    return new LabOutputs(surroundings, page, Optional.of(figures));
  }

  /** Returns the stream for text: standard output, unless the JSON goes there. */
  public PrintStream text() {
    return json.isPresent() ? surroundings.out() : surroundings.err();
  }

  /** Writes the files, and reports where they are. */
  public void write(LabResult result) throws IOException {
    byte[] figures = ResultFile.write(result);
    if (json.isPresent()) {
      json.get().write(figures);
      surroundings.err().println("tailwater: the figures are in " + json.get().path());
    } else {
      surroundings.out().write(figures);
    }
    report.write(ReportPage.html(result).getBytes(StandardCharsets.UTF_8));
    surroundings.err().println("tailwater: the report is in " + report.path());
  }
}
