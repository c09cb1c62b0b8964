package dev.tailwater.lab.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.lab.report.ReportPage;
import dev.tailwater.lab.result.LabResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code tailwater lab report}. */
@Command(
    name = "report",
    description =
        "Draw the report of a JSON file of the lab, for example from a host without" + " fonts.",
    footer = {"", "Example: tailwater lab report lab.json --report lab.html"})
final class LabReportCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(paramLabel = "FILE", description = "A JSON file of the lab.")
  private String file = "";

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "The report. Default: beside the JSON file, with .html.")
  private String report = "";

  @Option(names = "--force", description = "Overwrite a file that the lab has not written itself.")
  private boolean force;

  LabReportCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    LabResult result = SavedResult.read(surroundings.absolute(file));
    String name = report.isEmpty() ? file.replaceFirst("(\\.json)?$", ".html") : report;
    OutputFile page =
        OutputFile.at("--report", surroundings.absolute(name), ReportPage::isReport, force);
    page.write(ReportPage.html(result).getBytes(StandardCharsets.UTF_8));
    surroundings.err().println("tailwater: the report is in " + page.path());
    return ExitCode.DONE.number();
  }
}
