package dev.tailwater.cli.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.io.FileIdentity;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What two looks at files say of how they grow. */
class GrowthSurveyTest {
  private static FileIdentity file(long inode) {
    return new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
  }

  private static List<Workload.Growth> grown(long beforeBytes, long afterBytes) {
    return GrowthSurvey.growths(Map.of(file(1), beforeBytes), Map.of(file(1), afterBytes), 10);
  }

  @Test
  void aFileGrewByTheDifference() {
    assertEquals(List.of(new Workload.Growth(1, 5)), grown(100, 150));
    assertEquals(List.of(), grown(100, 100));
  }

  @Test
  void aTruncatedFileGrewByWhatItHas() {
    assertEquals(List.of(new Workload.Growth(1, 3)), grown(100, 30));
    assertEquals(List.of(), grown(100, 0));
  }

  @Test
  void aFileThatIsNewGrewByAllOfItAndOneThatIsGoneDidNot() {
    assertEquals(
        List.of(new Workload.Growth(1, 2)),
        GrowthSurvey.growths(Map.of(file(1), 100L), Map.of(file(2), 20L), 10));
  }
}
