package dev.tailwater.delivery.control;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.delivery.risk.BoundWatch;
import dev.tailwater.delivery.status.StatusReport;
import java.io.IOException;
import java.util.Locale;

/** Writes what a status says of drains and of the bound on bytes at risk. */
final class SafetyJson {
  private SafetyJson() {}

  /** Writes {@code phase} and, if present, {@code lastDrain} and {@code maxAtRisk}. */
  static void write(JsonGenerator json, StatusReport.Safety safety) throws IOException {
    json.writeStringField("phase", safety.phase().name().toLowerCase(Locale.ROOT));
    if (safety.lastDrain().isPresent()) {
      StatusReport.LastDrain drain = safety.lastDrain().get();
      json.writeObjectFieldStart("lastDrain");
      json.writeNumberField("endedAtMillis", drain.endedAtMillis());
      json.writeNumberField("tookMillis", drain.tookMillis());
      json.writeNumberField("deliveredBytes", drain.deliveredBytes());
      json.writeNumberField("leftBehindBytes", drain.leftBehindBytes());
      json.writeEndObject();
    }
    if (safety.bound().isPresent()) {
      write(json, safety.bound().get());
    }
  }

  private static void write(JsonGenerator json, BoundWatch.Report report) throws IOException {
    AtRiskBound bound = report.bound();
    json.writeObjectFieldStart("maxAtRisk");
    if (bound.bytes().isPresent()) {
      json.writeNumberField("bytes", bound.bytes().getAsLong());
    }
    if (bound.age().isPresent()) {
      json.writeNumberField("ageMillis", bound.age().get().toMillis());
    }
    json.writeBooleanField("kept", report.limit().isEmpty());
    if (report.limit().isPresent()) {
      json.writeStringField("limit", report.limit().get().name().toLowerCase(Locale.ROOT));
      json.writeStringField("why", report.limit().get().reason());
    }
    json.writeNumberField("exceededMillis", report.exceededMillis());
    json.writeNumberField("mostAtRiskBytes", report.mostBytes());
    json.writeNumberField("oldestAtRiskMillis", report.oldestMillis());
    json.writeEndObject();
  }
}
