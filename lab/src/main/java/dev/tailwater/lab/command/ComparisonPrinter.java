package dev.tailwater.lab.command;

import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.lab.compare.ComparedExperiment;
import dev.tailwater.lab.compare.ComparedRow;
import dev.tailwater.lab.compare.ComparedTable;
import dev.tailwater.lab.compare.LabComparison;
import dev.tailwater.lab.compare.Names;
import dev.tailwater.lab.compare.Pair;
import dev.tailwater.lab.report.Numbers;
import dev.tailwater.lab.report.Words;
import java.io.PrintStream;
import java.util.stream.Stream;

/** The output of a comparison on a terminal. */
final class ComparisonPrinter {
  private ComparisonPrinter() {}

  /** Prints the differences, and every figure that both results have. */
  public static void print(LabComparison comparison, PrintStream out) {
    Names names = comparison.names();
    Table facts = new Table("WHAT DIFFERS", line(names.first()), line(names.second()));
    Stream.concat(comparison.runs().stream(), comparison.host().stream())
        .forEach(pair -> facts.row(line(pair.name()), line(pair.first()), line(pair.second())));
    facts.print(out);
    for (ComparedExperiment experiment : comparison.experiments()) {
      out.println();
      out.println(line(experiment.name()) + ": " + line(experiment.question()));
      experiment.remarks().forEach(remark -> out.println("  " + line(remark)));
      for (Pair condition : experiment.conditions()) {
        out.println(
            "  condition differs: "
                + line(condition.name() + ", " + condition.first() + " and " + condition.second()));
      }
      experiment.tables().forEach(table -> print(table, names, out));
    }
  }

  private static void print(ComparedTable table, Names names, PrintStream out) {
    out.println("  " + line(table.title()));
    Table text =
        new Table("", "", ">" + line(names.first()), ">" + line(names.second()), ">RATIO", "");
    for (ComparedRow row : table.rows()) {
      text.row(
          "  " + line(String.join(", ", row.parameters())),
          line(row.quantity().name() + ", " + row.quantity().unit()),
          Numbers.median(row.first()),
          Numbers.median(row.second()),
          row.hasRatio() ? Numbers.text(row.comparison().ratio()) : "-",
          Words.certainty(row.comparison().certainty()));
    }
    text.print(out);
  }

  private static String line(String text) {
    return Printable.line(text);
  }
}
