package dev.tailwater.cli.command.metric;

import dev.tailwater.cli.report.JsonText;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * A status in the OpenMetrics text format 1.0 (<a
 * href="https://prometheus.io/docs/specs/om/open_metrics_spec/">specification</a>). What reads the
 * older format of Prometheus, as the textfile collector of node_exporter does, reads it too: there,
 * lines that it does not know are comments.
 */
public final class MetricsText {
  private MetricsText() {}

  /** Prints the status of one agent. */
  public static void print(JsonText status, PrintStream out) {
    String agent = label("agent", status.text("agent"));
    for (Metric metric : Metric.values()) {
      Optional<Double> value = MetricValues.of(metric, status);
      if (value.isPresent()) {
        head(metric, out);
        sample(metric, agent, value.get(), out);
      }
    }
    JsonText bound = status.object("maxAtRisk");
    if (bound.has("limit")) {
      MetricFamily limit = LabelledMetric.MAX_AT_RISK_LIMIT;
      head(limit, out);
      sample(limit, agent + "," + label("limit", bound.text("limit")), 1, out);
    }
    printDestinations(status, agent, out);
    out.print("# EOF\n");
  }

  private static void printDestinations(JsonText status, String agent, PrintStream out) {
    List<JsonText> destinations = status.objects("destinations");
    print(LabelledMetric.DESTINATION_AT_RISK_BYTES, "atRiskBytes", destinations, agent, out);
    if (status.isTrue("running")) {
      print(LabelledMetric.DESTINATION_DELIVERED_BYTES, "deliveredBytes", destinations, agent, out);
      print(
          LabelledMetric.DESTINATION_UNTRUSTED_OBJECTS,
          "untrustedObjects",
          destinations,
          agent,
          out);
    }
  }

  private static void print(
      LabelledMetric metric,
      String field,
      List<JsonText> destinations,
      String agent,
      PrintStream out) {
    if (!destinations.isEmpty()) {
      head(metric, out);
    }
    for (JsonText at : destinations) {
      sample(metric, agent + labels(at), (double) at.number(field), out);
    }
  }

  private static String labels(JsonText destination) {
    return ","
        + label("destination", destination.text("name"))
        + ","
        + label("required", Boolean.toString(destination.isTrue("required")));
  }

  private static void head(MetricFamily family, PrintStream out) {
    out.print("# TYPE " + family.family() + " " + family.type() + "\n");
    if (!family.kind().unit().isEmpty()) {
      out.print("# UNIT " + family.family() + " " + family.kind().unit() + "\n");
    }
    out.print("# HELP " + family.family() + " " + escaped(family.kind().meaning()) + "\n");
  }

  private static void sample(MetricFamily family, String labels, double value, PrintStream out) {
    String number = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    out.print(family.sample() + "{" + labels + "} " + number + "\n");
  }

  private static String label(String name, String value) {
    return name + "=\"" + escaped(value) + "\"";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
