package dev.tailwater.posix.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordsTest {
  private static final Point POINT = new Point(1, "here");

  public record Point(long offsetBytes, String name) {}

  @Test
  void aCopyDiffersInWhatIsNamedOnly() {
    assertEquals(new Point(2, "here"), Records.like(POINT, Map.of("offsetBytes", 2L)));
    assertEquals(POINT, Records.like(POINT, Map.of()));
  }

  @Test
  void aNameThatIsNoComponentIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Records.like(POINT, Map.of("offset", 2L)));
  }

  @Test
  void aValueOfAnotherTypeIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Records.like(POINT, Map.of("offsetBytes", "two")));
  }
}
