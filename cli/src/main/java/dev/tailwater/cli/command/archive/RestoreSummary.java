package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import java.io.PrintStream;

/**
 * The last line of a restore: how many files came to which result, and what to do next.
 *
 * @param destination as the user has named it
 * @param overwrites whether files with other contents are replaced already
 */
record RestoreSummary(String destination, boolean isDryRun, boolean overwrites) {
  void print(RestoreReport report, PrintStream err) {
    StringBuilder summary = new StringBuilder("tailwater: ");
    summary.append(isDryRun ? "dry run, nothing was changed: would restore " : "restored ");
    long whole = report.count(RestoreResult.RESTORED);
    summary.append(Count.of(whole, "file"));
    append(summary, report.count(RestoreResult.ALREADY_THERE), "already there");
    append(summary, report.count(RestoreResult.INCOMPLETE), "incomplete");
    append(summary, report.count(RestoreResult.DOUBTFUL), "doubtful");
    append(summary, report.count(RestoreResult.LOCKED), "locked");
    append(summary, report.count(RestoreResult.REFUSED), "refused");
    append(summary, report.count(RestoreResult.FAILED), "failed");
    append(summary, report.tree().directories(), "directory", "directories");
    append(summary, report.tree().links(), "symbolic link", "symbolic links");
    append(summary, report.tree().furtherNames(), "further name", "further names");
    summary.append(", ").append(ByteSizes.forPeople(report.bytes()));
    err.println(summary);
    if (!overwrites && report.streams().stream().anyMatch(RestoredStream::wouldOverwrite)) {
      err.println("Hint: --overwrite replaces files that have other contents");
    } else if (report.streams().isEmpty()) {
      err.println("Hint: 'tailwater ls " + destination + "' shows what is there");
    }
  }

  private static void append(StringBuilder summary, long count, String what) {
    append(summary, count, what, what);
  }

  private static void append(StringBuilder summary, long count, String one, String several) {
    if (count > 0) {
      summary.append(", ").append(Count.of(count, one, several));
    }
  }
}
