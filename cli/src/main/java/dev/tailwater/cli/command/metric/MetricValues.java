package dev.tailwater.cli.command.metric;

import dev.tailwater.cli.report.JsonText;
import java.util.Optional;

/** The values of metrics in a status. */
final class MetricValues {
  private MetricValues() {}

  /** Returns the value of a metric; empty if the status does not have it. */
  static Optional<Double> of(Metric metric, JsonText status) {
    return switch (metric) {
      case AGENT_UP -> of(status.isTrue("running"));
      case START_TIME_SECONDS -> running(status, seconds(status.number("startedAtMillis")));
      case FILES -> of(status.number("files"));
      case LEFT_OUT_FILES -> running(status, of(status.object("watching").number("leftOut")));
      case WAITING_FILES -> running(status, of(status.object("watching").number("waitingFiles")));
      case WAITING_OWNERS -> running(status, of(status.object("watching").number("waitingOwners")));
      case UNOPENED_FILES -> running(status, of(status.object("watching").number("unopenedFiles")));
      case SEARCHING -> running(status, of(status.object("watching").isTrue("searching")));
      case UNSEEN_SECONDS ->
          running(status, seconds(status.object("watching").number("unseenMillis")));
      case LEFT_OUT_SYMBOLIC_LINKS ->
          running(status, of(status.object("watching").number("symbolicLinks")));
      case LEFT_OUT_FOREIGN_LINKS ->
          running(status, of(status.object("watching").number("foreignLinks")));
      case AT_RISK_BYTES -> of(status.number("atRiskBytes"));
      case AT_RISK_OLDEST_SECONDS -> running(status, seconds(status.number("oldestAtRiskMillis")));
      case MAX_AT_RISK_BYTES -> bound(status, "bytes").map(b -> (double) b.number("bytes"));
      case MAX_AT_RISK_SECONDS ->
          bound(status, "ageMillis").map(b -> b.number("ageMillis") / 1000.0);
      case MAX_AT_RISK_KEPT -> bound(status, "kept").flatMap(b -> of(b.isTrue("kept")));
      case MAX_AT_RISK_EXCEEDED_SECONDS ->
          bound(status, "kept").map(b -> b.number("exceededMillis") / 1000.0);
      case CHANGED_IN_PLACE_FILES -> of(status.number("changedFiles"));
      case MISSED_FILES -> running(status, of(status.number("missedFiles")));
      case PERHAPS_MISSED_FILES -> running(status, of(status.number("perhapsMissedFiles")));
      case DRAINING -> of(status.isTrue("draining"));
      case LAST_DRAIN_SECONDS -> drain(status).map(d -> d.number("tookMillis") / 1000.0);
      case LAST_DRAIN_DELIVERED_BYTES ->
          drain(status).map(d -> (double) d.number("deliveredBytes"));
      case LAST_DRAIN_LEFT_BEHIND_BYTES ->
          drain(status).map(d -> (double) d.number("leftBehindBytes"));
      case DELIVERED_BYTES -> running(status, of(status.number("deliveredBytes")));
      case DELIVERED_SEGMENTS -> running(status, of(status.number("deliveredSegments")));
      case STORED_BYTES -> running(status, of(status.number("storedBytes")));
      case PROBLEMS -> running(status, of(status.objects("problems").size()));
    };
  }

  private static Optional<Double> of(boolean truth) {
    return Optional.of(truth ? 1.0 : 0.0);
  }

  private static Optional<Double> of(long number) {
    return Optional.of((double) number);
  }

  private static Optional<Double> seconds(long millis) {
    return Optional.of(millis / 1000.0);
  }

  private static Optional<Double> running(JsonText status, Optional<Double> number) {
    return status.isTrue("running") ? number : Optional.empty();
  }

  private static Optional<JsonText> bound(JsonText status, String field) {
    return Optional.of(status.object("maxAtRisk")).filter(bound -> bound.has(field));
  }

  private static Optional<JsonText> drain(JsonText status) {
    return status.has("lastDrain") ? Optional.of(status.object("lastDrain")) : Optional.empty();
  }
}
