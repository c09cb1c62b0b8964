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
    String left =
        notice.has("leftMillis")
            ? ", " + Math.round(notice.number("leftMillis") / 1000.0) + " s left"
            : "";
    return notice.text("kind")
        + left
        + ": "
        + Printable.line(notice.text("source") + " (" + notice.text("text") + ")");
  }
}
