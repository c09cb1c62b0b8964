package dev.tailwater.cli.command.archive;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.report.ArchiveJson;
import dev.tailwater.cli.report.AuthenticityText;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.TrustWarnings;
import dev.tailwater.restore.attribute.UnsetAttributes;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.TreeReport;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/** What became of each stream of a restore, as JSON. */
final class RestoreJson {
  private RestoreJson() {}

  static void print(
      RestoreReport report, AuthenticityText authenticity, boolean isDryRun, PrintStream out)
      throws IOException {
    Json.object(
        out,
        json -> {
          if (isDryRun) {
            json.writeBooleanField("dryRun", true);
          }
          json.writeStringField("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
          json.writeNumberField("restoredBytes", report.bytes());
          if (report.problem().isPresent()) {
            json.writeStringField("problem", report.problem().get());
          }
          json.writeArrayFieldStart("streams");
          for (RestoredStream stream : report.streams()) {
            json.writeStartObject();
            write(json, stream);
            json.writeEndObject();
          }
          json.writeEndArray();
          TrustWarnings.write(json, report.contested(), report.locked());
          write(json, report.tree());
          write(json, "unsetAttributes", report.unsetAttributes());
          write(json, "unsetModes", report.unsetModes());
          if (report.unsetOwners().isPresent()) {
            json.writeObjectFieldStart("unsetOwners");
            json.writeNumberField("refused", report.unsetOwners().get().refused());
            json.writeNumberField("untold", report.unsetOwners().get().untold());
            if (report.unsetOwners().get().firstRefusal().isPresent()) {
              json.writeStringField(
                  "firstRefusal", report.unsetOwners().get().firstRefusal().get());
            }
            json.writeEndObject();
          }
          if (report.unvouched() > 0) {
            json.writeNumberField("unvouched", report.unvouched());
          }
          authenticity.write(json);
          ArchiveJson.foreign(json, report.foreign());
        });
  }

  private static void write(JsonGenerator json, String field, Optional<UnsetAttributes> unset)
      throws IOException {
    if (unset.isPresent()) {
      json.writeObjectFieldStart(field);
      json.writeNumberField("refused", unset.get().refused());
      json.writeStringField("firstRefusal", unset.get().firstRefusal());
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, RestoredStream stream) throws IOException {
    json.writeStringField("agent", stream.agent());
    json.writeStringField("stream", stream.stream().text());
    ArchiveJson.path(json, "path", stream.path());
    if (stream.target().isPresent()) {
      ArchiveJson.path(json, "target", stream.target().get());
    }
    json.writeStringField(
        "result", stream.result().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    json.writeNumberField("bytes", stream.bytes());
    if (stream.problem().isPresent()) {
      json.writeStringField("problem", stream.problem().get());
    }
    ArchiveJson.faults(json, stream.gaps(), stream.missing(), stream.damages());
  }

  private static void write(JsonGenerator json, TreeReport tree) throws IOException {
    json.writeObjectFieldStart("tree");
    json.writeNumberField("directories", tree.directories());
    json.writeNumberField("links", tree.links());
    json.writeNumberField("furtherNames", tree.furtherNames());
    json.writeNumberField("kept", tree.kept());
    json.writeNumberField("outdated", tree.outdated());
    json.writeNumberField("failed", tree.failed());
    if (tree.firstFailure().isPresent()) {
      json.writeStringField("firstFailure", tree.firstFailure().get());
    }
    json.writeEndObject();
  }
}
