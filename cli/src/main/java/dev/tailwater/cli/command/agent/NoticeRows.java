package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Printable;
import java.util.List;

/** The lines of {@code status} on the end of the machine. */
final class NoticeRows {
  private NoticeRows() {}

  static void add(Table table, JsonText status) {
    if (!status.has("noticeSources")) {
      return; // No agent runs.
    }
    List<JsonText> heard = status.objects("notices");
    for (JsonText notice : heard) {
      table.row("notice", inWords(notice));
    }
    if (heard.isEmpty()) {
      List<String> watched = status.texts("noticeSources");
      table.row(
          "notices",
          (watched.isEmpty()
                  ? "nobody is asked"
                  : "none from " + Printable.line(String.join(", ", watched)))
              + why(status));
    }
  }

  private static String why(JsonText status) {
    return status.has("noticeDetection")
        ? " (auto: " + Printable.line(status.text("noticeDetection")) + ")"
        : "";
  }

  private static String inWords(JsonText notice) {
    return notice.text("kind")
        + (notice.has("leftMillis") ? ", " + left(notice.number("leftMillis")) : "")
        + ": "
        + Printable.line(notice.text("source") + " (" + notice.text("text") + ")");
  }

  private static String left(long leftMillis) {
    long seconds = Math.round(leftMillis / 1000.0);
    return seconds < 0 ? "its deadline passed " + -seconds + " s ago" : seconds + " s left";
  }
}
