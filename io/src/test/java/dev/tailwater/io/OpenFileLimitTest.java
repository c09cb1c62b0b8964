package dev.tailwater.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OpenFileLimitTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max processes             95858                95858                processes
      Max open files            %s                 524288               files
      Max locked memory         8388608              8388608              bytes
      """;

  @Test
  void isTheSoftOne() {
    assertEquals(OptionalLong.of(1024), OpenFileLimit.of(LIMITS.formatted("1024")));
  }

  @Test
  void mayBeMissing() {
    assertEquals(OptionalLong.empty(), OpenFileLimit.of(LIMITS.formatted("unlimited")));
    assertEquals(OptionalLong.empty(), OpenFileLimit.of(""));
  }

  @Test
  void ofThisProcessIsMoreThanItHasOpen() {
    assertTrue(OpenFileLimit.ofProcess().orElse(Long.MAX_VALUE) > 3);
  }
}
