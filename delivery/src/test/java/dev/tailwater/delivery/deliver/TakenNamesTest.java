package dev.tailwater.delivery.deliver;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TakenNamesTest {
  @Test
  void leavesHalfOfTheThreadsAndMostBuffersToOthers() {
    TakenNames names = new TakenNames(6);
    assertTrue(names.tryWait(true));
    assertFalse(names.tryWait(true));
    assertTrue(names.tryWait(false));
    assertTrue(names.tryWait(false));
    assertFalse(names.tryWait(false));
    names.end(true);
    assertTrue(names.tryWait(true));
    assertFalse(names.tryWait(false));
  }

  @Test
  void nothingWaitsForTheOnlyThread() {
    assertFalse(new TakenNames(1).tryWait(false));
  }

  @Test
  void eachOfAThousandIsAProblem() {
    TakenNames names = new TakenNames(1);
    for (int i = 0; i < 1000; i++) {
      assertTrue(names.isNamed());
    }
    assertFalse(names.isNamed());
  }
}
