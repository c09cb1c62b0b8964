package dev.tailwater.archive.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.pack.StreamFact;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DroppedBytesTest {
  private static final int BLOCKS = 12;
  private static final int MOMENTS = 15;

  private static StreamFact.Dropped dropped(long start, long end, long from, long until) {
    return new StreamFact.Dropped(3, new ByteRange(start, end), from, until);
  }

  private static boolean tells(List<StreamFact.Dropped> facts, long offset, long moment) {
    return facts.stream()
        .noneMatch(
            fact ->
                fact.isAbout(moment)
                    && fact.range().startBytes() <= offset
                    && offset < fact.range().endBytes());
  }

  @Test
  void saysTheSameInFewerWords() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<StreamFact.Dropped> facts = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        long start = random.nextInt(BLOCKS);
        long from = random.nextInt(MOMENTS);
        facts.add(
            dropped(start, start + 1 + random.nextInt(2), from, from + 1 + random.nextInt(3)));
      }
      List<StreamFact.Dropped> fewer = DroppedBytes.compact(facts);
      assertTrue(fewer.size() <= facts.size());
      for (int offset = 0; offset < BLOCKS + 2; offset++) {
        for (int moment = 0; moment < MOMENTS + 4; moment++) {
          assertEquals(tells(facts, offset, moment), tells(fewer, offset, moment), "seed " + seed);
        }
      }
    }
  }

  @Test
  void aBlockThatIsRewrittenForEverIsOneFact() {
    List<StreamFact.Dropped> facts = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      facts.add(dropped(0, 64, i, i + 1));
    }
    assertEquals(List.of(dropped(0, 64, 0, 1000)), DroppedBytes.compact(facts));
  }

  @Test
  void whatIsTooMuchIsSaidRoughlyAndNeverTooLittle() {
    List<StreamFact.Dropped> facts = new ArrayList<>();
    for (int i = 0; i < 5 * DroppedBytes.MOST; i++) {
      facts.add(dropped(3L * i, 3L * i + 2, i, i + 5));
    }
    List<StreamFact.Dropped> fewer = DroppedBytes.compact(facts);
    assertTrue(fewer.size() <= DroppedBytes.MOST);
    for (StreamFact.Dropped fact : facts) {
      assertTrue(
          fewer.stream()
              .anyMatch(
                  rough ->
                      rough.range().startBytes() <= fact.range().startBytes()
                          && rough.range().endBytes() >= fact.range().endBytes()
                          && rough.fromMillis() <= fact.fromMillis()
                          && rough.untilMillis() >= fact.untilMillis()));
    }
  }
}
