package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code status} says is at risk: how much of everything, and of which files. */
final class AtRiskText {
  private AtRiskText() {}

  /** Returns how much is at risk, and what the agent does not know of. */
  static String inWords(JsonText status) {
    long bytes = status.number("atRiskBytes");
    if (!status.isTrue("running")) {
      // Of others, such as those that it could not open, its state has nothing.
      return bytes == 0 ? "nothing of these files" : ByteSizes.forPeople(bytes);
    }
    List<String> parts = new ArrayList<>();
    if (bytes > 0) {
      parts.add(
          String.format(
              Locale.ROOT,
              "%s, the oldest for %.1f s",
              ByteSizes.forPeople(bytes),
              status.number("oldestAtRiskMillis") / 1000.0));
    }
    addUnseen(parts, status.object("watching"));
    return parts.isEmpty() ? "nothing" : String.join(", and ", parts);
  }

  /** Adds what is written to files that the agent does not look at. */
  private static void addUnseen(List<String> parts, JsonText watching) {
    long waiting = watching.number("waitingFiles");
    if (waiting > 0) {
      parts.add(
          Count.of(waiting, "file that waits", "files that wait")
              + " to be opened, with whatever is written to them"
              + waitingOwners(watching));
    }
    if (watching.isTrue("searchWaits")) {
      parts.add("files that are not looked for until then");
    } else if (watching.isTrue("searching")) {
      parts.add("whatever is in files that were not looked at yet since the start");
    }
    long unopened = watching.number("unopenedFiles");
    if (unopened > 0) {
      parts.add(
          Count.of(unopened, "file or directory", "files or directories")
              + " that could not be opened, with whatever is in them");
    }
    long unseenMillis = watching.number("unseenMillis");
    if (unseenMillis > 0) {
      parts.add(
          "whatever was written in the last "
              + Math.max(1, unseenMillis / 1000)
              + " s, in which no source was looked at");
    }
  }

  /** Says whose files wait, if there are several owners. */
  private static String waitingOwners(JsonText watching) {
    long owners = watching.number("waitingOwners");
    if (owners < 2) {
      return "";
    }
    List<String> most = new ArrayList<>();
    for (JsonText owner : watching.objects("mostWaitingOwners")) {
      most.add(owner.number("files") + " of user " + owner.number("userId"));
    }
    return " (" + owners + " owners: " + String.join(", ", most) + ")";
  }

  /** Prints the files that are at risk, after an empty line; nothing if there are none. */
  static void printFiles(JsonText status, PrintStream out) {
    List<JsonText> files = status.objects("atRisk");
    if (files.isEmpty()) {
      return;
    }
    out.println();
    Table table = new Table(">AT RISK", ">SIZE", "FILE");
    for (JsonText file : files) {
      long risk = file.number("sizeBytes") - file.number("durableBytes");
      table.row(
          ByteSizes.forPeople(risk),
          ByteSizes.forPeople(file.number("sizeBytes")),
          Printable.line(file.text("path")));
    }
    table.print(out);
    long more = status.number("atRiskFiles") - files.size();
    if (more > 0) {
      out.println("and " + Count.of(more, "more file"));
    }
  }
}
