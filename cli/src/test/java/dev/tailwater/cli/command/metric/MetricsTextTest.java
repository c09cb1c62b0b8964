package dev.tailwater.cli.command.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A status as metrics. */
class MetricsTextTest {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "[a-z_]+\\{[a-z]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*\""
              + "(,[a-z]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*\")*} -?[0-9]+(\\.[0-9]+)?");

  private static String metrics(String status) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      MetricsText.print(JsonText.parse(status), out);
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    List<String> lines = text.lines().toList();
    assertEquals("# EOF", lines.getLast());
    for (String line : lines.subList(0, lines.size() - 1)) {
      assertTrue(
          line.matches("# (TYPE|UNIT|HELP) tailwater_[a-z_]+ .+") || SAMPLE.matcher(line).matches(),
          line);
    }
    return text;
  }

  @Test
  void tellsWhatIsAtRiskAndHowTheBoundIsKept() throws Exception {
    String text =
        metrics(
            """
            {"agent":"we\\"b\\\\1","running":true,"atRiskBytes":12345678901,"oldestAtRiskMillis":1500,
             "deliveredBytes":7,"phase":"hurry","draining":true,"startedAtMillis":1500000000123,
             "maxAtRisk":{"bytes":1048576,"ageMillis":5000,"kept":false,"limit":"uplink",
                          "exceededMillis":250,"mostAtRiskBytes":9},
             "lastDrain":{"tookMillis":1200,"deliveredBytes":3,"leftBehindBytes":0},
             "destinations":[{"name":"/mnt/a","required":true,"atRiskBytes":5,"deliveredBytes":6}],
             "problems":[{"subject":"max_at_risk"}]}
            """);
    String agent = "{agent=\"we\\\"b\\\\1\"";
    assertTrue(text.contains("tailwater_agent_up" + agent + "} 1\n"), text);
    assertTrue(text.contains("# TYPE tailwater_at_risk_bytes gauge\n"), text);
    assertTrue(text.contains("# UNIT tailwater_at_risk_bytes bytes\n"), text);
    assertTrue(text.contains("tailwater_at_risk_bytes" + agent + "} 12345678901\n"), text);
    assertTrue(text.contains("tailwater_at_risk_oldest_seconds" + agent + "} 1.5\n"), text);
    assertTrue(text.contains("tailwater_max_at_risk_bytes" + agent + "} 1048576\n"), text);
    assertTrue(text.contains("tailwater_max_at_risk_kept" + agent + "} 0\n"), text);
    assertTrue(
        text.contains("tailwater_max_at_risk_exceeded_seconds_total" + agent + "} 0.25\n"), text);
    assertTrue(
        text.contains("tailwater_max_at_risk_limit" + agent + ",limit=\"uplink\"} 1\n"), text);
    assertTrue(text.contains("# TYPE tailwater_delivered_bytes counter\n"), text);
    assertTrue(text.contains("tailwater_delivered_bytes_total" + agent + "} 7\n"), text);
    assertTrue(text.contains("tailwater_draining" + agent + "} 1\n"), text);
    assertTrue(text.contains("tailwater_last_drain_seconds" + agent + "} 1.2\n"), text);
    assertTrue(text.contains("tailwater_problems" + agent + "} 1\n"), text);
    assertTrue(
        text.contains(
            "tailwater_destination_at_risk_bytes"
                + agent
                + ",destination=\"/mnt/a\",required=\"true\"} 5\n"),
        text);
  }

  @Test
  void ofAnAgentThatDoesNotRunOnlyWhatIsKnown() throws Exception {
    String text =
        metrics("{\"agent\":\"web\",\"running\":false,\"atRiskBytes\":10,\"destinations\":[]}");
    assertTrue(text.contains("tailwater_agent_up{agent=\"web\"} 0\n"), text);
    assertTrue(text.contains("tailwater_at_risk_bytes{agent=\"web\"} 10\n"), text);
    assertFalse(text.contains("delivered_bytes"), text);
    assertFalse(text.contains("max_at_risk"), text);
  }

  @Test
  void everyFamilyHasANameThatTellsItsUnit() {
    for (Metric metric : Metric.values()) {
      requireUnitInName(metric);
    }
    for (LabelledMetric metric : LabelledMetric.values()) {
      requireUnitInName(metric);
    }
  }

  private static void requireUnitInName(MetricFamily family) {
    assertTrue(family.family().endsWith(family.kind().unit()), family.family());
  }
}
