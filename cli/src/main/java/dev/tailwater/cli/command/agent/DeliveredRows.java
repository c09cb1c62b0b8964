package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import java.util.Optional;

/** The lines of {@code status} on what a running agent has delivered, merged and signed. */
final class DeliveredRows {
  private DeliveredRows() {}

  static void add(Table table, JsonText status) {
    table.row("delivered", delivered(status));
    merged(status).ifPresent(text -> table.row("merged", text));
    signatures(status).ifPresent(text -> table.row("signatures", text));
  }

  private static String delivered(JsonText status) {
    return ByteSizes.forPeople(status.number("deliveredBytes"))
        + " in "
        + Count.of(status.number("deliveredSegments"), "segment")
        + " of "
        + ByteSizes.forPeople(status.number("storedBytes"))
        + " since the agent started";
  }

  /** Adds up all destinations. */
  private static Optional<String> merged(JsonText status) {
    long merged = 0;
    long superseded = 0;
    long bytes = 0;
    long gathered = 0;
    long notGathered = 0;
    for (JsonText at : status.objects("destinations")) {
      gathered += at.number("gatheredSegments");
      notGathered += at.number("notGathered");
      merged += at.number("mergedSegments");
      superseded += at.number("supersededSegments");
      bytes += at.number("mergedBytes");
    }
    if (merged == 0 && notGathered == 0) {
      return Optional.empty();
    }
    String sentence =
        superseded
            + " short segments into "
            + (merged - gathered)
            + (gathered == 0 ? "" : ", and packs into " + gathered + " more,")
            + " with "
            + ByteSizes.forPeople(bytes)
            + " of files";
    return Optional.of(
        notGathered == 0
            ? sentence
            : sentence + "; " + notGathered + " times the file was gone or had other bytes");
  }

  /** Tells the key of the agent, and whether it believes objects that are not signed. */
  private static Optional<String> signatures(JsonText status) {
    if (!status.has("signingKey")) {
      return Optional.empty();
    }
    long untrusted = 0;
    for (JsonText at : status.objects("destinations")) {
      untrusted += at.number("untrustedObjects");
    }
    return Optional.of(
        Printable.line(status.text("signingKey"))
            + (status.isTrue("signaturesRequired")
                ? "; objects of others, which are not believed: " + untrusted
                : "; the key is in the state directory only: if that is lost, nobody checks what the"
                    + " archive says is delivered (signing_key_file)"));
  }
}
