package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** What {@code restore --dry-run} lists: what each file would be. */
final class RestorePreview {
  private RestorePreview() {}

  static void print(List<RestoredStream> streams, PrintStream out) {
    Table table = new Table(">SIZE", "WOULD BE", "FILE");
    for (RestoredStream stream : streams) {
      table.row(
          ByteSizes.forPeople(stream.bytes()),
          word(stream.result()),
          EscapedPath.of(stream.target().orElse(stream.path())));
    }
    if (!streams.isEmpty()) {
      table.print(out);
    }
  }

  private static String word(RestoreResult result) {
    return result.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
