package dev.tailwater.delivery.control;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.drain.LeftBehindJson;
import dev.tailwater.delivery.drain.LossesJson;
import dev.tailwater.delivery.neighbour.NeighbourReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.status.StatusReport.Running;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reports as JSON, for the control socket and for {@code --json}. */
public final class ControlJson {
  /** How many of the owners are named whose files wait. */
  private static final int MOST_OWNERS = 4;

  private ControlJson() {}

  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  private static String object(Body body) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("writing to memory does not fail", e);
    }
    return text.toString();
  }

  public static String status(StatusReport report) {
    return object(
        json -> {
          json.writeStringField("agent", report.agent());
          json.writeBooleanField("running", report.running().isPresent());
          if (report.running().isPresent()) {
            json.writeNumberField("pid", report.running().get().pid());
            if (report.running().get().signingKey().isPresent()) {
              json.writeStringField("signingKey", report.running().get().signingKey().get().text());
              json.writeBooleanField(
                  "signaturesRequired", report.running().get().signaturesRequired());
            }
          }
          if (report.destinations().size() == 1) {
            json.writeStringField("destination", report.destinations().getFirst().uri());
          }
          json.writeBooleanField("draining", report.draining());
          json.writeNumberField(
              "startedAtMillis", report.running().map(Running::startedAtMillis).orElse(0L));
          json.writeNumberField("files", report.files().watched());
          if (report.running().isPresent()) {
            watching(json, report.running().get().watching());
            neighbour(json, report.running().get().neighbour());
          }
          StatusReport.Progress progress = report.progress();
          json.writeNumberField("atRiskBytes", progress.atRiskBytes());
          json.writeNumberField("oldestAtRiskMillis", progress.oldestAtRiskMillis());
          json.writeNumberField("deliveredBytes", progress.deliveredBytes());
          json.writeNumberField("deliveredSegments", progress.deliveredSegments());
          json.writeNumberField("storedBytes", progress.storedBytes());
          json.writeNumberField("atRiskFiles", report.files().atRiskFiles());
          if (report.running().isEmpty()) {
            json.writeNumberField("uncomparedFiles", report.files().uncomparedFiles());
          }
          json.writeArrayFieldStart("atRisk");
          for (StatusReport.FileAtRisk file : report.files().atRisk()) {
            json.writeStartObject();
            json.writeStringField("path", file.path());
            json.writeStringField("stream", file.stream());
            json.writeNumberField("sizeBytes", file.sizeBytes());
            json.writeNumberField("durableBytes", file.durableBytes());
            json.writeEndObject();
          }
          json.writeEndArray();
          LossesJson.write(json, report.files().losses());
          destinations(json, report.destinations());
          SafetyJson.write(json, report.safety());
          problems(json, "problems", report.problems());
          if (report.safety().notices().isPresent()) {
            notices(json, report.safety().notices().get());
          }
        });
  }

  private static void notices(JsonGenerator json, StatusReport.NoticeReport report)
      throws IOException {
    json.writeArrayFieldStart("noticeSources");
    for (String source : report.watched()) {
      json.writeString(source);
    }
    json.writeEndArray();
    if (!report.reason().isEmpty()) {
      json.writeStringField("noticeDetection", report.reason());
    }
    json.writeArrayFieldStart("notices");
    for (StatusReport.NoticeStatus notice : report.notices()) {
      json.writeStartObject();
      json.writeStringField("source", notice.source());
      json.writeStringField("kind", notice.kind().name().toLowerCase(Locale.ROOT));
      json.writeStringField("text", notice.text());
      if (notice.left().isPresent()) {
        json.writeNumberField("leftMillis", notice.left().get().toMillis());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void destinations(
      JsonGenerator json, List<StatusReport.AtDestination> destinations) throws IOException {
    json.writeArrayFieldStart("destinations");
    for (StatusReport.AtDestination destination : destinations) {
      json.writeStartObject();
      json.writeStringField("name", destination.name());
      json.writeStringField("uri", destination.uri());
      json.writeBooleanField("required", destination.required());
      json.writeBooleanField("connected", destination.connected());
      StatusReport.Progress progress = destination.progress();
      json.writeNumberField("atRiskBytes", progress.atRiskBytes());
      json.writeNumberField("oldestAtRiskMillis", progress.oldestAtRiskMillis());
      json.writeNumberField("deliveredBytes", progress.deliveredBytes());
      json.writeNumberField("deliveredSegments", progress.deliveredSegments());
      json.writeNumberField("sealedSegments", destination.sealedSegments());
      json.writeNumberField("storedBytes", progress.storedBytes());
      json.writeNumberField("mergedSegments", destination.merged().segments());
      json.writeNumberField("supersededSegments", destination.merged().supersededSegments());
      json.writeNumberField("mergedBytes", destination.merged().rawBytes());
      json.writeNumberField("gatheredSegments", destination.merged().gatheredSegments());
      json.writeNumberField("notGathered", destination.merged().notGathered());
      json.writeNumberField("untrustedObjects", destination.untrustedObjects());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  public static String file(FileDelivery file) {
    return object(
        json -> {
          json.writeStringField("path", file.path());
          if (file.stream().isPresent()) {
            json.writeStringField("stream", file.stream().get());
          }
          json.writeNumberField("sizeBytes", file.sizeBytes());
          json.writeNumberField("durableBytes", file.durableBytes());
          json.writeBooleanField("delivered", file.isDelivered());
          json.writeBooleanField(
              "changedInPlace", file.change() == FileDelivery.Change.CHANGED_IN_PLACE);
          boolean renamed = file.change() == FileDelivery.Change.RENAMED;
          json.writeBooleanField("compared", renamed || file.change() == FileDelivery.Change.NONE);
          json.writeBooleanField("renamed", renamed);
          json.writeArrayFieldStart("destinations");
          for (FileDelivery.AtDestination destination : file.destinations()) {
            json.writeStartObject();
            json.writeStringField("name", destination.name());
            json.writeBooleanField("required", destination.required());
            json.writeNumberField("durableBytes", destination.durableBytes());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  public static String drain(DrainReport report) {
    return object(
        json -> {
          json.writeBooleanField("complete", report.isComplete());
          json.writeBooleanField("deadlineMet", report.deadlineMet());
          json.writeNumberField("tookMillis", report.totals().took().toMillis());
          json.writeNumberField("deliveredBytes", report.totals().deliveredBytes());
          json.writeNumberField("deliveredSegments", report.totals().deliveredSegments());
          json.writeNumberField("leftBehindBytes", report.leftBehindBytes());
          LeftBehindJson.write(json, "leftBehind", report.leftBehind());
          LossesJson.write(json, report.losses());
          LeftBehindJson.writeDestinations(json, report.destinations());
          problems(json, "problems", report.problems());
          problems(json, "otherProblems", report.otherProblems());
        });
  }

  static String error(String message) {
    return object(json -> json.writeStringField("error", message));
  }

  private static void watching(JsonGenerator json, StatusReport.Watching watching)
      throws IOException {
    json.writeObjectFieldStart("watching");
    json.writeNumberField("inotifyDirectories", watching.inotifyDirectories());
    json.writeNumberField("fanotifyDirectories", watching.fanotifyDirectories());
    json.writeNumberField("polledDirectories", watching.polledDirectories());
    json.writeNumberField("hotDirectories", watching.hotDirectories());
    json.writeNumberField("leftOut", watching.leftOut());
    json.writeNumberField("waitingFiles", watching.waitingFiles());
    waitingOwners(json, watching.waitingByOwner());
    json.writeNumberField("unopenedFiles", watching.unopenedFiles());
    json.writeNumberField("unseenMillis", watching.unseenMillis());
    json.writeBooleanField("searching", watching.searching());
    json.writeBooleanField("searchWaits", watching.searchWaits());
    json.writeNumberField("symbolicLinks", watching.symbolicLinks());
    json.writeNumberField("foreignLinks", watching.foreignLinks());
    json.writeNumberField("tickMillis", watching.tickMillis());
    json.writeEndObject();
  }

  /** Writes who has most files that wait, and how many others have some. */
  private static void waitingOwners(JsonGenerator json, Map<Long, Long> filesByOwner)
      throws IOException {
    json.writeNumberField("waitingOwners", filesByOwner.size());
    json.writeArrayFieldStart("mostWaitingOwners");
    List<Map.Entry<Long, Long>> most =
        filesByOwner.entrySet().stream()
            .sorted(Map.Entry.<Long, Long>comparingByValue().reversed())
            .limit(MOST_OWNERS)
            .toList();
    for (Map.Entry<Long, Long> owner : most) {
      json.writeStartObject();
      json.writeNumberField("userId", owner.getKey());
      json.writeNumberField("files", owner.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void neighbour(JsonGenerator json, NeighbourReport neighbour) throws IOException {
    json.writeObjectFieldStart("neighbour");
    json.writeStringField("priority", neighbour.priority());
    json.writeBooleanField("suspended", neighbour.suspended());
    strings(json, "yieldingTo", neighbour.yieldingTo());
    json.writeObjectFieldStart("pressurePercent");
    for (Map.Entry<String, Long> pressure : neighbour.pressurePercent().entrySet()) {
      json.writeNumberField(pressure.getKey(), pressure.getValue());
    }
    json.writeEndObject();
    json.writeNumberField("restedMillis", neighbour.restedMillis());
    strings(json, "notes", neighbour.notes());
    json.writeEndObject();
  }

  private static void strings(JsonGenerator json, String field, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private static void problems(JsonGenerator json, String field, List<Problem> problems)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (Problem problem : problems) {
      json.writeStartObject();
      if (problem.destination().isPresent()) {
        json.writeStringField("destination", problem.destination().get());
      }
      json.writeStringField("subject", problem.subject());
      json.writeStringField("message", problem.message());
      if (problem.hint().isPresent()) {
        json.writeStringField("hint", problem.hint().get());
      }
      json.writeBooleanField("permanent", problem.permanent());
      json.writeBooleanField("bytesDependOnIt", problem.bytesDependOnIt());
      json.writeNumberField("times", problem.times());
      json.writeNumberField("sinceMillis", problem.sinceMillis());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
