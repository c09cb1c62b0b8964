package dev.tailwater.cli.demo;

import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The result of a demo.
 *
 * @param files written
 * @param rotations how many of them are rotated away
 * @param writtenBytes in all files
 * @param killedAtSeconds since the beginning
 * @param writtenAtKillBytes written by then
 * @param atRiskBytes what the agent said was at risk just before; -1: it did not say
 * @param segments in the archive
 * @param storedBytes of all objects in the archive
 * @param restoredFiles that came back
 * @param restoredBytes in them
 * @param differing files that came back otherwise, or not at all
 */
public record DemoResult(
    long files,
    long rotations,
    long writtenBytes,
    double killedAtSeconds,
    long writtenAtKillBytes,
    long atRiskBytes,
    long segments,
    long storedBytes,
    long restoredFiles,
    long restoredBytes,
    List<Path> differing) {

  /** Whether every file, and nothing else, was restored byte for byte. */
  public boolean isWell() {
    return differing.isEmpty() && restoredFiles == files && files > 0;
  }

  /** Prints the table. */
  public void print(PrintStream out) {
    Table table = new Table("", "");
    table.row(
        "written",
        Count.of(files, "file")
            + ", "
            + Count.of(rotations, "rotation")
            + ", "
            + size(writtenBytes));
    table.row(
        "killed",
        String.format(
            Locale.ROOT,
            "at %.1f s with SIGKILL, %s written by then%s",
            killedAtSeconds,
            size(writtenAtKillBytes),
            atRiskBytes < 0 ? "" : ", " + size(atRiskBytes) + " of it at risk"));
    table.row(
        "delivered",
        Count.of(segments, "segment") + ", " + size(storedBytes) + " compressed, encrypted");
    table.row("restored", Count.of(restoredFiles, "file") + ", " + size(restoredBytes));
    table.row("identical", isWell() ? "yes, every byte" : "NO");
    table.print(out);
    differing.forEach(path -> out.println("  differs: " + path));
  }

  private static String size(long bytes) {
    return ByteSizes.forPeople(bytes);
  }
}
