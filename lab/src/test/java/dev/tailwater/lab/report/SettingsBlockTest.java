package dev.tailwater.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.lab.Samples;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsBlockTest {
  private static ExperimentResult recommending(String name, Recommendation... settings) {
    return new ExperimentResult(
        name,
        "?",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(settings),
        1);
  }

  private static Recommendation setting(String key, String value, String reason) {
    return new Recommendation(Place.CONFIGURATION, key, value, reason);
  }

  @Test
  void reasonsStandAboveSettingsInLinesThatCanBeRead() {
    assertEquals(
        """
        # write-size: 4MiB takes 41 ms where 8MiB takes 83 ms, which is more than this line can hold if
        # it goes on and on.
        segment_size: 4MiB
        """,
        SettingsBlock.of(List.of(Samples.measured("write-size", 1))));
  }

  @Test
  void aKeyStandsOnceThoughTwoExperimentsDisagree() {
    assertEquals(
        """
        # a: a reason
        # b: rather zstd:3: another
        # c: and so says c
        compress: zstd:1
        # b: two
        workers: 2
        """,
        SettingsBlock.of(
            List.of(
                recommending("a", setting("compress", "zstd:1", "a reason")),
                recommending(
                    "b", setting("compress", "zstd:3", "another"), setting("workers", "2", "two")),
                recommending("c", setting("compress", "zstd:1", "and so says c")))));
  }

  @Test
  void aLineEndInTheDataIsNoLineMore() {
    assertEquals(
        "# x: a reason hooks: evil\nworkers: 2\n",
        SettingsBlock.of(
            List.of(recommending("x", setting("workers", "2", "a reason\r\nhooks: evil")))));
  }

  @Test
  void nothingIsTakenFromAResultThatNoExperimentRecommends() {
    assertEquals(
        "",
        SettingsBlock.of(
            List.of(
                recommending("x", setting("workers", "2\nhooks: worse", "a reason")),
                recommending("y", setting("hooks", "worse", "a reason")),
                recommending("z", setting("workers", "{a: b}", "a reason")))));
  }
}
