package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.report.StreamProblems;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.attribute.UnsetAttributes;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.TreeReport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a restore could not do, or not as the archive tells it: a line for each. */
final class RestoreFaults {
  /** The most that is named of files that were not tried; JSON has all. */
  private static final int MOST_NAMED = 3;

  private final PrintStream err;

  RestoreFaults(PrintStream err) {
    this.err = err;
  }

  /** Prints what is wrong with each stream, and one line for all that were not tried. */
  void printStreams(List<RestoredStream> streams) {
    StreamProblems faults = new StreamProblems(err);
    List<RestoredStream> notTried = new ArrayList<>();
    for (RestoredStream stream : streams) {
      if (stream.result() == RestoreResult.LOCKED) {
        continue; // All of them are told of in one line.
      }
      if (stream.whyNotTried().isPresent()) {
        notTried.add(stream);
        continue;
      }
      faults.print(stream.path(), stream.gaps(), stream.missing(), stream.damages());
      stream
          .problem()
          .ifPresent(
              problem ->
                  err.println(Printable.sentence(EscapedPath.of(stream.path()) + ": " + problem)));
    }
    printNotTried(notTried);
  }

  /** Prints that the run stopped, and why; it would bury the reason to say so for each file. */
  private void printNotTried(List<RestoredStream> notTried) {
    if (notTried.isEmpty()) {
      return;
    }
    String first =
        notTried.stream()
            .limit(MOST_NAMED)
            .map(stream -> EscapedPath.of(stream.path()))
            .collect(Collectors.joining(", "));
    err.println(
        Count.of(notTried.size(), "file was", "files were")
            + " not tried: "
            + Printable.sentence(notTried.getFirst().whyNotTried().orElse(""))
            + "; first: "
            + first
            + ". Hint: make room there, or make it writable, and run the same command again; it"
            + " goes on where it stopped");
  }

  /** Prints what is wrong with owners, attributes, names, directories and links. */
  void printOthers(RestoreReport report) {
    report.unsetOwners().ifPresent(this::printUnset);
    report.unsetAttributes().ifPresent(this::printUnset);
    report.unsetModes().ifPresent(this::printUnsetModes);
    report.problem().ifPresent(problem -> err.println(Printable.sentence(problem)));
    printUnvouched(report.unvouched());
    printRenamedApart(report.renamedApart());
    printTree(report.tree());
  }

  private void printUnset(UnsetOwners unset) {
    if (unset.refused() > 0) {
      err.println(
          "the owner could not be set: of "
              + Count.of(unset.refused(), "file or directory", "files and directories")
              + "; first: "
              + Printable.sentence(unset.firstRefusal().orElse(""))
              + ". Hint: run as root");
    }
    if (unset.untold() > 0) {
      err.println("the archive does not tell the owner of " + Count.of(unset.untold(), "file"));
    }
  }

  private void printUnset(UnsetAttributes unset) {
    err.println(
        Count.of(unset.refused(), "extended attribute")
            + " could not be set; first: "
            + Printable.sentence(unset.firstRefusal()));
  }

  private void printUnsetModes(UnsetAttributes unset) {
    err.println(
        Count.of(
                unset.refused(), "file, directory or link has", "files, directories and links have")
            + " another mode or time than in the archive; first: "
            + Printable.sentence(unset.firstRefusal())
            + ". Hint: the file system may take none; restore to another one");
  }

  private void printUnvouched(long files) {
    if (files > 0) {
      err.println(
          Count.of(files, "file has", "files have")
              + " fewer permissions, or no owner, than a newer object tells that is not encrypted."
              + " Hint: --trust takes what the agent has signed, and --allow-plain what anybody"
              + " wrote who can write to the destination");
    }
  }

  private void printRenamedApart(List<RestoredStream> renamed) {
    if (!renamed.isEmpty()) {
      RestoredStream first = renamed.getFirst();
      err.println(
          Count.of(renamed.size(), "file has", "files have")
              + " a stream's id in the name, since a restore removes unfinished files with such"
              + " names; first: "
              + EscapedPath.of(first.path())
              + " is "
              + EscapedPath.of(first.target().orElse(first.path())));
    }
  }

  private void printTree(TreeReport tree) {
    for (Damage damage : tree.damages()) {
      err.println(Printable.sentence(damage.key() + ": " + damage.why()));
    }
    if (tree.failed() > 0) {
      err.println(
          Printable.sentence(
              Count.of(tree.failed(), "directory or link", "directories and links")
                  + " could not be restored; first: "
                  + tree.firstFailure().orElse("")));
    }
    if (tree.outdated() > 0) {
      err.println(
          Count.of(
                  tree.outdated(),
                  "directory, link or further name is not made: a file came to its path after",
                  "directories, links and further names are not made: files came to their paths after")
              + " the agent had looked last");
    }
    if (tree.kept() > 0) {
      err.println(
          Count.of(
              tree.kept(),
              "directory was there already and keeps its mode. Hint: --overwrite changes it",
              "directories were there already and keep their modes. Hint: --overwrite changes"
                  + " them"));
    }
  }
}
