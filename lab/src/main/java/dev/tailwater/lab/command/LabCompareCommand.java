package dev.tailwater.lab.command;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.lab.compare.LabComparison;
import dev.tailwater.lab.compare.Names;
import dev.tailwater.lab.report.ComparePage;
import dev.tailwater.lab.report.ReportPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code tailwater lab compare}. */
@Command(
    name = "compare",
    description = "Compare two JSON files of the lab: two hosts, two kernels, before and after.",
    footer = {
      "",
      "Ratios are of the second to the first. What only one of them has, and what was"
          + " measured under different conditions, is listed.",
      "",
      "Example: tailwater lab compare before.json after.json --report difference.html"
    })
final class LabCompareCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(index = "0", paramLabel = "FIRST", description = "A JSON file of the lab.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "SECOND", description = "A second one.")
  private String second = "";

  @Option(names = "--report", paramLabel = "FILE", description = "Also write a page with plots.")
  private String report = "";

  @Option(names = "--force", description = "Overwrite a file that the lab has not written itself.")
  private boolean force;

  LabCompareCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    Path one = surroundings.absolute(first);
    Path other = surroundings.absolute(second);
    LabComparison comparison =
        LabComparison.of(SavedResult.read(one), SavedResult.read(other), names(one, other));
    Optional<OutputFile> page = Optional.empty();
    if (!report.isEmpty()) {
      Path file = surroundings.absolute(report);
      page = Optional.of(OutputFile.at("--report", file, ReportPage::isReport, force));
    }
    ComparisonPrinter.print(comparison, surroundings.out());
    if (page.isPresent()) {
      page.get().write(ComparePage.html(comparison).getBytes(StandardCharsets.UTF_8));
      surroundings.err().println("tailwater: the report is in " + page.get().path());
    }
    return ExitCode.DONE.number();
  }

  /**
   * Returns the names of the files, or the paths as the user wrote them if the names are the same.
   */
  private Names names(Path one, Path other) {
    String short1 = String.valueOf(one.getFileName());
    String short2 = String.valueOf(other.getFileName());
    return short1.equals(short2) ? new Names(first, second) : new Names(short1, short2);
  }
}
