package dev.tailwater.cli.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CountTest {
  @Test
  void onlyOneIsSingular() {
    assertEquals("0 files", Count.of(0, "file"));
    assertEquals("1 file", Count.of(1, "file"));
    assertEquals("2 files", Count.of(2, "file"));
    assertEquals("1 directory is", Count.of(1, "directory is", "directories are"));
    assertEquals("3 directories are", Count.of(3, "directory is", "directories are"));
  }
}
