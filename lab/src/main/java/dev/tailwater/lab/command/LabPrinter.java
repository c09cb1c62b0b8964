package dev.tailwater.lab.command;

import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.report.LeftOut;
import dev.tailwater.lab.report.Numbers;
import dev.tailwater.lab.report.SettingsBlock;
import dev.tailwater.lab.report.Words;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.lab.result.Recommendation;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The output of the lab on a terminal. */
final class LabPrinter {
  private static final int MOST_NOISY_SHOWN = 2;

  private LabPrinter() {}

  /** Prints the list of experiments. */
  public static void list(List<Experiment> experiments, Effort effort, PrintStream out) {
    Table table = new Table("EXPERIMENT", ">ABOUT", "ARTICLE", "QUESTION");
    for (Experiment experiment : experiments) {
      table.row(
          experiment.name(),
          experiment.expectedTime(effort).isZero()
              ? "-"
              : Numbers.time(experiment.expectedTime(effort)),
          experiment.topic().article().orElse("-"),
          experiment.topic().question());
    }
    table.print(out);
  }

  /** Prints the conclusions of each experiment, and the recommended settings. */
  public static void results(LabResult result, PrintStream out) {
    Optional<String> busy = result.host().busy();
    busy.ifPresent(
        what ->
            out.println(
                "This machine was busy: "
                    + Printable.line(what)
                    + ".\nWhat is recommended is tentative; measure again when it is quiet.\n"));
    String leftOut = LeftOut.text(result.experiments());
    if (!leftOut.isEmpty()) {
      out.println("Time was up, so this was left out: " + Printable.line(leftOut) + ".\n");
    }
    results(result.experiments(), out);
    String tentative = busy.isPresent() ? " (tentative)" : "";
    String settings = SettingsBlock.of(result);
    if (!settings.isEmpty()) {
      out.println("For tailwater.yaml" + tentative + ":");
      settings.lines().forEach(line -> out.println("  " + Printable.line(line)));
      out.println();
    }
    List<ExperimentResult> results = result.experiments();
    places(results, Recommendation.Place.HOST, "For this host" + tentative + ":", out);
    places(results, Recommendation.Place.PROGRAM, "For your own programs" + tentative + ":", out);
  }

  private static void results(List<ExperimentResult> results, PrintStream out) {
    for (ExperimentResult result : results) {
      out.println(result.name() + ": " + Printable.line(result.question()));
      result.skipped().ifPresent(why -> out.println("  skipped: " + Printable.line(why)));
      if (result.isMeasured()) {
        result
            .leftOut()
            .ifPresent(what -> out.println("  cut short: without " + Printable.line(what)));
      }
      result.failed().ifPresent(why -> out.println("  FAILED: " + Printable.line(why)));
      printConclusions(result.conclusions(), out);
      out.println();
    }
  }

  /** Prints conclusions, but only a few of those that are too noisy; the report has all. */
  private static void printConclusions(List<Conclusion> conclusions, PrintStream out) {
    long noisy = conclusions.stream().filter(LabPrinter::isNoisy).count();
    boolean all = noisy <= MOST_NOISY_SHOWN;
    for (Conclusion conclusion : conclusions) {
      if (all || !isNoisy(conclusion)) {
        out.println("  " + mark(conclusion) + Printable.line(conclusion.text()));
      }
    }
    if (!all) {
      out.println("  (too noisy to tell) " + noisy + " more, which the report names");
    }
  }

  private static boolean isNoisy(Conclusion conclusion) {
    return conclusion.certainty() == Conclusion.Certainty.TOO_NOISY;
  }

  private static void places(
      List<ExperimentResult> results, Recommendation.Place place, String title, PrintStream out) {
    List<Recommendation> settings =
        results.stream()
            .flatMap(result -> result.recommendations().stream())
            .filter(setting -> setting.place() == place)
            .distinct()
            .toList();
    if (settings.isEmpty()) {
      return;
    }
    out.println(title);
    for (Recommendation setting : settings) {
      out.println("  " + Printable.line(setting.key() + ": " + setting.value()));
      out.println("    " + Printable.line(setting.reason()));
    }
    out.println();
  }

  /** Returns a mark for a conclusion that is not shown, unless the sentence itself says so. */
  private static String mark(Conclusion conclusion) {
    String certainty = Words.certainty(conclusion.certainty());
    boolean shown = conclusion.certainty() == Conclusion.Certainty.SHOWN;
    return shown || conclusion.text().toLowerCase(Locale.ROOT).contains("too noisy")
        ? ""
        : "(" + certainty + ") ";
  }
}
