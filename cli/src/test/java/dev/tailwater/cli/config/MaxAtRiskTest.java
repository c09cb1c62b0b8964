package dev.tailwater.cli.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.value.AtRiskBounds;
import dev.tailwater.delivery.risk.AtRiskBound;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be at risk, and what follows from it. */
class MaxAtRiskTest {
  private static final String ENDING = "sources: [/var/log]\ndestination: /mnt/archive\n";
  private static final AtRiskBound BOTH =
      new AtRiskBound(OptionalLong.of(32 << 20), Optional.of(Duration.ofSeconds(4)));

  private static ConfigFile.Result read(String yaml) {
    return ConfigFile.read(yaml + ENDING, Path.of("/etc"));
  }

  private static ShipSettings settings(String yaml) {
    ConfigFile.Result result = read(yaml);
    assertEquals(List.of(), result.problems());
    return result.settings().build();
  }

  private static String problem(String yaml) {
    List<ConfigProblem> problems = read(yaml).problems();
    assertEquals(1, problems.size(), problems.toString());
    return problems.getFirst().at("c.yaml");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_at_risk: {bytes: 32MiB, age: 4s}\n",
        "max_at_risk: {age: 4s, bytes: 32MiB}\n",
        "max_at_risk: 32MiB,4s\n",
        "max_at_risk: 4s, 32MiB\n"
      })
  void ageAndSegmentsFollowWhereNothingElseIsSaid(String yaml) {
    ShipSettings settings = settings(yaml);
    assertEquals(BOTH, settings.maxAtRisk());
    assertEquals(Optional.of(Duration.ofSeconds(3)), settings.maxAge());
    assertEquals(4 << 20, settings.segmentSizeBytes());
  }

  @Test
  void eitherPartAloneIsAllowed() {
    ShipSettings settings = settings("max_at_risk: 32MiB\n");
    assertEquals(Optional.empty(), settings.maxAge(), "what the destination recommends");
    assertEquals(4 << 20, settings.segmentSizeBytes());
    settings = settings("max_at_risk: {age: 4s}\n");
    assertEquals(Optional.of(Duration.ofSeconds(3)), settings.maxAge());
    assertEquals(8 << 20, settings.segmentSizeBytes());
  }

  @Test
  void whatIsSaidOfAgeAndSegmentsHolds() {
    ShipSettings settings = settings("max_at_risk: 32MiB,4s\nmax_age: 4s\nsegment_size: 32MiB\n");
    assertEquals(Optional.of(Duration.ofSeconds(4)), settings.maxAge());
    assertEquals(32 << 20, settings.segmentSizeBytes());
  }

  @Test
  void contradictionsAreProblems() {
    assertEquals(
        "c.yaml:2:1: max_age 10s is longer than max_at_risk allows, 32MiB,4s",
        problem("max_at_risk: 32MiB,4s\nmax_age: 10s\n"));
    assertEquals(
        "c.yaml:1:1: segment_size 64MiB is more than max_at_risk allows, 32MiB",
        problem("segment_size: 64MiB\nmax_at_risk: {bytes: 32MiB}\n"));
  }

  @Test
  void wrongPartsNameTheirPlace() {
    assertTrue(problem("max_at_risk: {bytes: 5s}\n").startsWith("c.yaml:1:22: max_at_risk.bytes:"));
    assertTrue(problem("max_at_risk: {age: 1MiB}\n").startsWith("c.yaml:1:20: max_at_risk.age:"));
    assertTrue(problem("max_at_risk: {size: 1MiB}\n").contains("unknown key 'size'"));
    assertTrue(problem("max_at_risk: {}\n").contains("says nothing"));
    assertTrue(problem("max_at_risk: 5s,6s\n").contains("one size and one duration"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "5", "64MiB,", "1MiB,2MiB", "10ms", "1KiB", "64MiB;5s"})
  void saysWhatABoundIs(String text) {
    var e = assertThrows(IllegalArgumentException.class, () -> AtRiskBounds.parse(text));
    assertTrue(String.valueOf(e.getMessage()).contains("expected"), e.getMessage());
  }
}
