package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenFileLimitTest {
  @ParameterizedTest
  @CsvSource({"1024, 60, 836", "524288, 60, 524100", "256, 60, 68", "160, 60, 25", "64, 60, 4"})
  void tailsHaveWhatTheAgentDoesNotNeedForItself(long limit, long openNow, int tails) {
    assertEquals(tails, OpenFileLimit.forTails(limit, openNow));
  }
}
