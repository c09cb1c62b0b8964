package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Count;
import java.util.ArrayList;
import java.util.List;

/** The lines of {@code status} on what the agent watches, and what it leaves out. */
final class WatchingRows {
  private WatchingRows() {}

  static void add(Table table, JsonText watching) {
    table.row("directories", directories(watching));
    String leftOut = leftOut(watching);
    if (!leftOut.isEmpty()) {
      table.row("left out", leftOut);
    }
  }

  /** Lists only the methods of watching that are in use. */
  private static String directories(JsonText watching) {
    List<String> parts = new ArrayList<>();
    addPart(parts, watching.number("inotifyDirectories"), "watched by inotify");
    addPart(parts, watching.number("hotDirectories"), "of them busy: their files are polled");
    addPart(parts, watching.number("fanotifyDirectories"), "watched by fanotify");
    addPart(parts, watching.number("polledDirectories"), "polled");
    return parts.isEmpty() ? "none yet" : String.join(", ", parts);
  }

  /** Returns what is left out; empty if nothing is. */
  private static String leftOut(JsonText watching) {
    List<String> parts = new ArrayList<>();
    long leftOut = watching.number("leftOut");
    if (leftOut > 0) {
      parts.add(
          Count.of(leftOut, "file or directory", "files and directories") + " for lack of memory");
    }
    long symbolic = watching.number("symbolicLinks");
    if (symbolic > 0) {
      parts.add(Count.of(symbolic, "symbolic link"));
    }
    long links = watching.number("foreignLinks");
    if (links > 0) {
      parts.add(Count.of(links, "hard link") + " that others can have made");
    }
    return String.join(", ", parts);
  }

  private static void addPart(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }
}
