package dev.tailwater.lab.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AvailableMemoryTest {
  @Test
  void saysHowMuchIsMissing() throws Exception {
    assertEquals(
        Optional.of("It needs 1024 MiB of free memory, and there are 100 MiB: end other programs."),
        AvailableMemory.missing(1L << 30, OptionalLong.of(100 << 20)));
    assertEquals(Optional.empty(), AvailableMemory.missing(1L << 30, OptionalLong.of(4L << 30)));
    assertEquals(Optional.empty(), AvailableMemory.missing(1L << 30, OptionalLong.empty()));
    assertEquals(Optional.empty(), AvailableMemory.missing(1));
  }
}
